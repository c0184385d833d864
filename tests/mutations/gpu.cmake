# Bugs in what runs on a device, each of which the tests of the stand-in must find (docs/gpu.md).
include(Mutations)

# Barriers, and the threads of a launch.
drystone_mutation(barriers_dropped "no barrier between phases" "*Bands*:*Dense*")
drystone_mutation(barrier_after_load_dropped "no barrier after tiles are loaded" "*Bands*:*Dense*")
drystone_mutation(barrier_before_load_dropped "no barrier before the next tiles are loaded" "*Bands*:*Dense*")
drystone_mutation(barrier_diverges "one thread of a block leaves a barrier out" "*Bands*:*Dense*")
drystone_mutate(gpu/cuda/cuda_executor.h [=[if (phase > 0) __syncthreads();]=] [=[
if (phase > 0 && !MUTATED(barriers_dropped) &&
        !(MUTATED(barrier_after_load_dropped) && phase % 2 == 1) &&
        !(MUTATED(barrier_before_load_dropped) && phase % 2 == 0) &&
        !(MUTATED(barrier_diverges) && phase == 1 && threadIdx.x == 7)) __syncthreads();]=])

drystone_mutation(thread_too_many "a thread more than there are indices" "*Prox*:*Dense*")
drystone_mutate(gpu/cuda/cuda_executor.h [=[if (index < count) function(index);]=]
  [=[if (index < count + MUTATED(thread_too_many)) function(index);]=])
drystone_mutation(last_block_missing "no block for what is left of the indices" "*Prox*:*Dense*")
drystone_mutate(gpu/cuda/cuda_executor.h [=[DRYSTONE_LAUNCH(runForEach, (count + threads - 1) / threads,]=]
  [=[DRYSTONE_LAUNCH(runForEach, MUTATED(last_block_missing) && count > threads ? count / threads : (count + threads - 1) / threads,]=])

# Streams, copies, events.
drystone_mutation(upload_not_awaited "a copy to the device goes on after the call" "*StandIn.*:*Prox*")
drystone_mutate(gpu/cuda/cuda_executor.cu [=["uploading");
  wait();]=] [=["uploading");
  if (!MUTATED(upload_not_awaited)) wait();]=])
drystone_mutation(download_not_awaited "a copy from the device goes on after the call" "*Prox*")
drystone_mutation(download_on_another_stream "a copy from the device does not wait for kernels" "*Prox*")
drystone_mutate(gpu/cuda/cuda_executor.cu [=[cudaMemcpyDeviceToHost, stream()), "downloading");
  wait();]=] [=[cudaMemcpyDeviceToHost, other ? other.get() : stream()), "downloading");
  if (!MUTATED(download_not_awaited)) wait();]=])
drystone_mutate(gpu/cuda/cuda_executor.cu [=[  checkCuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost]=]
  [=[  const Stream other = MUTATED(download_on_another_stream) ? makeStream() : Stream();
  checkCuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost]=])
drystone_mutation(event_forgotten "the end of a time is not recorded" "*SweepTimes*:*StandIn.Band*")
drystone_mutation(event_not_awaited "a time is read before it is there" "*SweepTimes*:*StandIn.Band*")
drystone_mutate(gpu/cuda/handles.h [=[checkCuda(cudaEventRecord(end_.get(), stream), "timing");]=]
  [=[if (!MUTATED(event_forgotten)) checkCuda(cudaEventRecord(end_.get(), stream), "timing");]=])
drystone_mutate(gpu/cuda/handles.h [=[checkCuda(cudaEventSynchronize(end_.get()), "timing");]=]
  [=[if (!MUTATED(event_not_awaited)) checkCuda(cudaEventSynchronize(end_.get()), "timing");]=])

# Recordings and memory.
drystone_mutation(graph_not_updated "a recording keeps the launches of the one before" "*Prox*")
drystone_mutate(gpu/cuda/cuda_executor.cu [=[cudaGraphExecUpdate(recording.graph_.get(), handle, &info) == cudaSuccess]=]
  [=[(MUTATED(graph_not_updated) || cudaGraphExecUpdate(recording.graph_.get(), handle, &info) == cudaSuccess)]=])
drystone_mutation(graph_kept_with_layout "no new recording where the layout is kept" "*Prox*")
drystone_mutate(gpu/runner.h [=[executor_.record(sweep_, [&] { Form]=]
  [=[if (!MUTATED(graph_kept_with_layout) || !isKept) executor_.record(sweep_, [&] { Form]=])
drystone_mutation(graph_of_old_memory "no new recording after memory has moved" "*Bands*")
drystone_mutate(gpu/band_runner.h [=[isRecorded_.fill(false);]=]
  [=[if (!MUTATED(graph_of_old_memory)) isRecorded_.fill(false);]=])
drystone_mutation(view_of_freed_memory "kernels get memory that was freed when it grew" "*Prox*")
drystone_mutate(gpu/runner.h [=[    memory_.resize(executor_, sections_.end);]=]
  [=[    std::byte* const before = memory_.data();
    memory_.resize(executor_, sections_.end);]=])
drystone_mutate(gpu/runner.h [=[Form::bind(sizes, memory_.data(), device_,]=]
  [=[Form::bind(sizes, MUTATED(view_of_freed_memory) && before != nullptr ? before : memory_.data(), device_,]=])
drystone_mutation(impulses_not_fetched "sweeps do not tell that impulses are new" "*Prox*")
drystone_mutate(gpu/runner.h [=[isFinished_ = false;]=] [=[isFinished_ = MUTATED(impulses_not_fetched);]=])

# Sweeps.
drystone_mutation(colors_merged "two colors in one launch" "*Prox*")
drystone_mutation(last_unit_missing "the last unit of a color is left out" "*Prox*")
drystone_mutate(gpu/forms/factorized_form.h [=[      for (const UnitPhase& phase : plan.phases) {
        const int units = phase.endUnit - phase.firstUnit;]=]
  [=[      const bool areMerged = MUTATED(colors_merged) && plan.phases.size() > 1 &&
                             !plan.phases[1].isSimultaneous;
      for (const UnitPhase& phase : plan.phases) {
        if (areMerged && &phase == &plan.phases[1]) continue;
        const int end = areMerged && &phase == &plan.phases[0] ? plan.phases[1].endUnit : phase.endUnit;
        const int units = end - phase.firstUnit - MUTATED(last_unit_missing);]=])
drystone_mutation(last_slot_missing "a body leaves out its last slot" "*Prox*")
drystone_mutate(gpu/kernels/sweep_kernels.h [=[slot < view.slotStart[body + 1]; ++slot]=]
  [=[slot < view.slotStart[body + 1] - MUTATED(last_slot_missing); ++slot]=])
drystone_mutation(next_in_place "simultaneous sweeps write the buffer that they read" "*Prox*")
drystone_mutate(gpu/kernels/block_kernels.h [=[isSimultaneous ? view.next : view.lambda;]=]
  [=[isSimultaneous && !MUTATED(next_in_place) ? view.next : view.lambda;]=])

# Accelerated descent.
drystone_mutation(descent_part_missing "sums of a trial leave out their last block" "*Apgd*")
drystone_mutate(gpu/kernels/descent_kernels.h [=[place.thread < parts ?]=]
  [=[place.thread < parts - MUTATED(descent_part_missing) ?]=])
drystone_mutation(descent_part_misplaced "blocks of threads write their sums to one place" "*Apgd*")
drystone_mutate(gpu/kernels/descent_kernels.h [=[view.sumPart[place.block] = shared[0];]=]
  [=[view.sumPart[MUTATED(descent_part_misplaced) ? 0 : place.block] = shared[0];]=])
drystone_mutation(descent_slots_swapped "each body of a contact gathers what is the other's" "*Apgd*")
drystone_mutate(gpu/kernels/descent_kernels.h
  [=[writeSlots<kRows>(jacobian, next, view.slotA[index], view.slotB[index], view.contribution);]=]
  [=[writeSlots<kRows>(jacobian, next, (MUTATED(descent_slots_swapped) ? view.slotB : view.slotA)[index],
                        (MUTATED(descent_slots_swapped) ? view.slotA : view.slotB)[index], view.contribution);]=])
drystone_mutation(descent_not_restarted "a descent goes on with the step of the one before" "*Apgd*")
drystone_mutate(gpu/kernels/descent_kernels.h [=[if (index == 0) *view.figures = descentStart();]=]
  [=[if (index == 0 && !(MUTATED(descent_not_restarted) && view.figures->steps > 0)) *view.figures = descentStart();]=])
drystone_mutation(descent_not_projected "steps are not projected" "*Apgd*")
drystone_mutate(gpu/kernels/descent_kernels.h
  [=[projectJointly(kModel, view.friction[index], view.boxRadius[index], next);]=]
  [=[if (!MUTATED(descent_not_projected)) projectJointly(kModel, view.friction[index], view.boxRadius[index], next);]=])
drystone_mutation(descent_too_long_taken "a trial that was too long is taken" "*Apgd*")
drystone_mutate(gpu/kernels/descent_kernels.h [=[if (view.figures->isTaken == 0) return;]=]
  [=[if (view.figures->isTaken == 0 && !MUTATED(descent_too_long_taken)) return;]=])

# Islands.
drystone_mutation(island_level_early "elements of an island go before those that they follow" "*Islands*")
drystone_mutate(gpu/kernels/island_kernels.h [=[state.level = view.contactLevel[state.contact];]=]
  [=[state.level = view.contactLevel[state.contact] - (MUTATED(island_level_early) && view.contactLevel[state.contact] > 0);]=])
drystone_mutation(island_body_missing "the last body of an island is not brought back" "*Islands*")
drystone_mutate(gpu/kernels/island_kernels.h [=[view.velocity[view.islandBody[island.firstBody + body]] = velocity[body];]=]
  [=[if (!MUTATED(island_body_missing) || body + 1 < island.bodies) view.velocity[view.islandBody[island.firstBody + body]] = velocity[body];]=])
drystone_mutation(island_swept_on "islands that are solved are swept on" "*Islands*")
drystone_mutate(gpu/kernels/island_kernels.h [=[if (view.isSolved[place.block] != 0) return;]=]
  [=[if (view.isSolved[place.block] != 0 && !MUTATED(island_swept_on)) return;]=])
drystone_mutation(island_stays_solved "islands that were solved stay so from other impulses" "*Islands*")
drystone_mutate(gpu/kernels/scale_kernels.h [=[if (index < view.sizes.islands) view.isSolved]=]
  [=[if (index < view.sizes.islands && !(MUTATED(island_stays_solved) && view.isSolved[index] == 1)) view.isSolved]=])
drystone_mutation(island_rest_missing "what is solved is asked of the first element alone" "*Islands*")
drystone_mutate(gpu/kernels/island_kernels.h [=[if (contact >= 0) return residual.ofContact(contact);]=]
  [=[if (contact >= 0 && !(MUTATED(island_rest_missing) && place.thread > 0)) return residual.ofContact(contact);]=])

# Residuals.
drystone_mutation(residual_part_missing "a residual leaves out its last part" "*Residual*")
drystone_mutate(gpu/kernels/residual_kernels.h [=[place.thread < parts ?]=]
  [=[place.thread < parts - MUTATED(residual_part_missing) ?]=])
drystone_mutation(residual_pair_missing "threads leave out the last sum of a residual" "*Residual*")
drystone_mutate(gpu/kernels/residual_kernels.h [=[if (thread < half) addTo]=]
  [=[if (thread < half && !(MUTATED(residual_pair_missing) && half == 1)) addTo]=])

# Dense iterations.
drystone_mutation(dense_next_in_place "a block writes impulses that others still read" "*Dense*")
drystone_mutate(gpu/kernels/dense_kernels.h [=[view.next[first + kRows * place.thread + i] = z[i];]=]
  [=[{
        view.next[first + kRows * place.thread + i] = z[i];
        if (MUTATED(dense_next_in_place)) view.lambda[first + kRows * place.thread + i] = z[i];
      }]=])
drystone_mutation(chunk_beyond_end "the last chunk of a product is a whole one" "*Dense*")
drystone_mutate(gpu/kernels/dense_kernels.h [=[const int count = left < shape.chunk() ? left : shape.chunk();]=]
  [=[const int count = left < shape.chunk() && !MUTATED(chunk_beyond_end) ? left : shape.chunk();]=])
drystone_mutation(row_too_many "a diagonal block has a row more" "*Dense*")
drystone_mutate(gpu/kernels/dense_kernels.h [=[if (place.thread >= rows) return;]=]
  [=[if (place.thread >= rows + MUTATED(row_too_many)) return;]=])
drystone_mutation(flag_cleared_in_race "a thread clears the flag that others set" "*Termination*")
drystone_mutate(gpu/kernels/termination_kernels.h [=[    const double before = view.previous[row];]=]
  [=[    if (MUTATED(flag_cleared_in_race) && row == 0) *view.hasMoved = 0;
    const double before = view.previous[row];]=])

# Bands.
drystone_mutation(sum_not_cleared "a product begins with the sum before it" "*Bands*")
drystone_mutate(gpu/kernels/band_factor_kernels.h [=[right[inTile(part.row, part.column(k))] = -sum.value[k];
        sum.value[k] = 0;]=] [=[right[inTile(part.row, part.column(k))] = -sum.value[k];
        if (!MUTATED(sum_not_cleared)) sum.value[k] = 0;]=])
drystone_mutation(work_and_right_swapped "a substitution writes the vector that it reads" "*Bands*")
drystone_mutate(gpu/kernels/band_product_kernels.h [=[(isBack ? view.right : view.work)[view.atRight(own, side)] = sum;]=]
  [=[(isBack != MUTATED(work_and_right_swapped) ? view.right : view.work)[view.atRight(own, side)] = sum;]=])

drystone_write_mutations(${CMAKE_CURRENT_BINARY_DIR}/mutations)
