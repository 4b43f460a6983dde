#!/bin/sh
# One video, rendered by a Slurm cluster: an array of forty jobs renders, and one job joins the shares afterward.
#   ./slurm.sh film.scene film.mp4 /shared/cache 40 [OPTION …]
set -eu
scene=$1 output=$2 cache=$3 shares=${4:-40}
shift 3
if [ $# -gt 0 ]; then shift; fi
build="scenec build '$scene' -o '$output' --cache '$cache' --progress none $*"

array=$(sbatch --parsable --job-name scenec --array "1-$shares" --requeue --cpus-per-task 4 \
  --wrap "$build --jobs 4 --shard \$SLURM_ARRAY_TASK_ID/$shares")
# The join renders the missing segments of failed jobs, so it runs after all jobs, whether they succeeded or not.
sbatch --parsable --job-name scenec-join --dependency "afterany:$array" --cpus-per-task 4 --wrap "$build"
