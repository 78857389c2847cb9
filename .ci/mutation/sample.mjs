import { digest } from './places.mjs'

/** Takes a random sample of mutants. The same seed takes the same ones, even after changes to other code. */
export function takeSample(mutants, { size, seed, only }) {
  return mutants
    .filter(({ folder, file }) => only.length === 0 || only.some((name) => name === folder || file.includes(name)))
    .map((mutant) => ({ mutant, place: digest(String(seed), mutant.key) }))
    .sort((one, other) => (one.place < other.place ? -1 : 1))
    .slice(0, size)
    .map(({ mutant }) => mutant)
}
