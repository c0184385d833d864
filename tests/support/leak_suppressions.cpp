// What the HDF5 library forgets to free when a damaged file makes it give up half way is not ours
// to free. Read by the leak sanitizer where that is linked, by nobody otherwise.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }
