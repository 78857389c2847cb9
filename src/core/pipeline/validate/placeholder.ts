const noValues = new Set(['undefined', 'null', 'NaN', 'None', '[object Object]'])

export function isNoValue(text: string): boolean {
  return noValues.has(text)
}

export function isTemplate(text: string): boolean {
  return /^(?:\$?\{.*\}|<.*>)$/s.test(text)
}
