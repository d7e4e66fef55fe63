"""Store: fitted estimators and rules as documents of the model file, and back."""
