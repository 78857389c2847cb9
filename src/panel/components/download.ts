import { after } from '../../core/time/clock.ts'

export function downloadText(file: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = file
  link.click()
  after(10_000, () => URL.revokeObjectURL(url))
}
