// Builds dist. `--if-stale` does nothing if no source has changed since the last build.
import { buildDist, isStale } from './dist.mjs'

if (!process.argv.includes('--if-stale') || isStale()) await buildDist(false)
