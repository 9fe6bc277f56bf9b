// What wrappers use of cuBLAS: its functions stay the library's. A pointer to something not const is written.
#pragma once

struct cublasContext;
typedef cublasContext* cublasHandle_t;
enum cublasStatus_t { CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_NOT_INITIALIZED = 1 };
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 };
enum cublasMath_t { CUBLAS_DEFAULT_MATH = 0, CUBLAS_TENSOR_OP_MATH = 1, CUBLAS_TF32_TENSOR_OP_MATH = 3 };

extern "C" {
cublasStatus_t cublasCreate(cublasHandle_t*) PLUMBLINE_HOST("ignored");
cublasStatus_t cublasDestroy(cublasHandle_t) PLUMBLINE_HOST("ignored");
cublasStatus_t cublasSetStream(cublasHandle_t, cudaStream_t) PLUMBLINE_HOST("ignored");
cublasStatus_t cublasSgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const float*,
                           const float*, int, const float*, int, const float*, float*, int) PLUMBLINE_HOST("library");
cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                                         const float*, const float*, int, long long, const float*, int, long long,
                                         const float*, float*, int, long long, int) PLUMBLINE_HOST("library");
cublasStatus_t cublasSgemv(cublasHandle_t, cublasOperation_t, int, int, const float*, const float*, int, const float*,
                           int, const float*, float*, int) PLUMBLINE_HOST("library");
cublasStatus_t cublasSger(cublasHandle_t, int, int, const float*, const float*, int, const float*, int, float*, int)
    PLUMBLINE_HOST("library");
cublasStatus_t cublasSaxpy(cublasHandle_t, int, const float*, const float*, int, float*, int)
    PLUMBLINE_HOST("library");
cublasStatus_t cublasSscal(cublasHandle_t, int, const float*, float*, int) PLUMBLINE_HOST("library");
}
