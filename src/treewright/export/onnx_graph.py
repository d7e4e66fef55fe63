"""Graphs of ONNX: operators and constants that are added one after the other.

In: the kind of an operator, the names of its inputs, arrays. Out: the name of each result; the operators and constants
for a model, or for the body of a loop.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from onnx import GraphProto, NodeProto, TensorProto, ValueInfoProto

OPSET = 18
"""The version of the operators of ONNX in a model."""
LEAST_OPSET = 16
"""The oldest version that has all operators: it added sums to ScatterElements."""
ML = "ai.onnx.ml"
"""The domain of the tree ensembles and label encoders."""


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator of a graph; `version` is that of the domain `ML` which introduced it, 0 for other operators."""

    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: dict[str, Any]
    version: int = 0

    @property
    def domain(self) -> str:
        return ML if self.version else ""

    def to_proto(self) -> "NodeProto":
        from onnx.helper import make_node

        return make_node(self.kind, self.inputs, self.outputs, domain=self.domain, **self.attributes)


@dataclass(slots=True)
class Graph:
    """Operators and constants; `new_name` returns a name that no other tensor has.

    >>> from itertools import count
    >>> graph = Graph(lambda kind, numbers=count(): f"{kind}_{next(numbers)}")
    >>> graph.add("Neg", graph.constant([1.5]))
    'Neg_1'
    """

    new_name: Callable[[str], str]
    operators: list[Operator] = field(default_factory=list)
    constants: dict[str, Any] = field(default_factory=dict)

    def constant(self, value: Any, kind: Any = None) -> str:
        """Add a constant: numbers, booleans or texts; return its name."""
        array = np.asarray(value, kind)
        known = ((name, one) for name, one in self.constants.items() if one.dtype == array.dtype)
        name = next((name for name, one in known if np.array_equal(one, array)), None) or self.new_name("constant")
        self.constants.setdefault(name, array)
        return name

    def add(self, kind: str, *inputs: str, version: int = 0, **attributes: Any) -> str:
        """Add an operator with one output; return the name of the output."""
        return self.add_several(kind, inputs, 1, version, **attributes)[0]

    def add_several(
        self, kind: str, inputs: Sequence[str], n_outputs: int, version: int = 0, **attributes: Any
    ) -> tuple[str, ...]:
        """Add an operator with several outputs; return their names."""
        outputs = tuple(self.new_name(kind) for _ in range(n_outputs))
        self.operators.append(Operator(kind, tuple(inputs), outputs, attributes, version))
        return outputs

    def rename(self, tensor: str, name: str) -> None:
        """Add a tensor under another name."""
        self.operators.append(Operator("Identity", (tensor,), (name,), {}))

    def flat(self, tensor: str) -> str:
        """A tensor with one dimension."""
        return self.add("Reshape", tensor, self.constant([-1]))

    def upright(self, tensor: str) -> str:
        """A tensor with one column."""
        return self.add("Reshape", tensor, self.constant([-1, 1]))

    def cast(self, tensor: str, kind: Any) -> str:
        """A tensor of the type of a numpy type."""
        from onnx.helper import np_dtype_to_tensor_dtype

        return self.add("Cast", tensor, to=np_dtype_to_tensor_dtype(np.dtype(kind)))

    def scalar(self, tensor: str) -> str:
        """A tensor of one element, without dimensions."""
        return self.add("Reshape", tensor, self.constant([], np.int64))

    def range(self, n: str) -> str:
        """The numbers from 0 to n - 1; `n` has no dimensions."""
        return self.add("Range", self.constant(0), n, self.constant(1))

    def zeros(self, shape: str, kind: Any) -> str:
        """A tensor of zeros."""
        from onnx.numpy_helper import from_array

        return self.add("ConstantOfShape", shape, value=from_array(np.zeros(1, kind)))

    def places(self, flags: str) -> str:
        """The places, ascending, where a tensor of booleans is true."""
        return self.flat(self.add("NonZero", self.flat(flags)))

    def to_proto(
        self, name: str, inputs: Iterable["ValueInfoProto"], outputs: Iterable["ValueInfoProto"]
    ) -> "GraphProto":
        """The graph of a model, or the body of a loop."""
        from onnx.helper import make_graph

        nodes = [one.to_proto() for one in self.operators]
        return make_graph(nodes, name, list(inputs), list(outputs), self.constant_protos())

    def constant_protos(self) -> list["TensorProto"]:
        """The constants as tensors of ONNX."""
        from onnx import TensorProto
        from onnx.helper import make_tensor
        from onnx.numpy_helper import from_array

        return [
            make_tensor(name, TensorProto.STRING, value.shape, [text.encode() for text in value.ravel().tolist()])
            if value.dtype.kind == "O"
            else from_array(value, name)
            for name, value in self.constants.items()
        ]
