import type { VerifyReport } from '../result.ts'

export function toAssumptionsFile({ gaps, targets }: VerifyReport): string {
  const lines = gaps.map((gap) => {
    switch (gap.outcome) {
      case 'value':
        return `# ${oneLine(gap.from)}\n${gap.id}: '${gap.value}'\n`
      case 'unknown':
        return `# ${gap.id}: none of the known values: ${oneLine(gap.why)}\n`
      case 'unseen':
        return `# ${gap.id}: not observed: ${oneLine(gap.why)}\n`
    }
  })
  return `# What greenhouse-mock verify saw at ${Object.values(targets).join(' and ')}. Use it: greenhouse-mock serve --assume-file FILE\n\n${lines.join('')}`
}

function oneLine(text: string): string {
  let line = ''
  for (const character of text) line += character < ' ' ? ' ' : character
  return line
}
