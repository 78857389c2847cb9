/** Takes some mutants by chance, the same ones for the same seed and source. */
export function takeSample(mutants, { size, seed, only }) {
  const wanted = mutants.filter(
    ({ folder, file }) => only.length === 0 || only.some((name) => name === folder || file.includes(name)),
  )
  const random = mulberry32(seed)
  const drawn = wanted.map((mutant) => ({ mutant, place: random() }))
  return drawn
    .sort((one, other) => one.place - other.place)
    .slice(0, size)
    .map(({ mutant }) => mutant)
}

function mulberry32(seed) {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
