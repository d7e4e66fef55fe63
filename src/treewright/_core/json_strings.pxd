cpdef long long plain_end(bytes data, long long at) except? -9
