cpdef long long behind_spaces(bytes data, long long at) except? -9
cpdef long long number_end(bytes data, long long at) except? -9
