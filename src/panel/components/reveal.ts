const margin = 8

export function revealIn(line: HTMLElement, item: Element): void {
  const frame = line.getBoundingClientRect()
  const { left, right } = item.getBoundingClientRect()
  if (left < frame.left) line.scrollLeft -= frame.left - left + margin
  else if (right > frame.right) line.scrollLeft += right - frame.right + margin
}
