// All that knows both HDF5 and MPI.
#include "engine/recording/recording_hdf5_types.h"

#include "core/check.h"

#ifdef DRYSTONE_HAS_PARALLEL_HDF5
#include <mpi.h>
#endif

namespace drystone::detail {

#ifdef DRYSTONE_HAS_PARALLEL_HDF5

bool canShareFiles() { return true; }

bool isFirstOfAll() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0;
}

Hdf5Handle accessOfAll() {
  Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  // The single-writer mode is not for several. A file of this older format has no mark of a writer
  // either, which would keep readers out after a kill.
  H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
  // Between two flushes the file keeps its older, whole state.
  H5AC_cache_config_t cache;
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  H5Pget_mdc_config(access, &cache);
  cache.evictions_enabled = 0;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  H5Pset_mdc_config(access, &cache);
  return access;
}

Hdf5Handle transferOfAll() {
  Hdf5Handle transfer(H5Pcreate(H5P_DATASET_XFER));
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  return transfer;
}

#else

bool canShareFiles() { return false; }
bool isFirstOfAll() { return true; }
Hdf5Handle accessOfAll() {
  DRYSTONE_ASSERT(false);
  return Hdf5Handle();
}
Hdf5Handle transferOfAll() { return accessOfAll(); }

#endif

}  // namespace drystone::detail
