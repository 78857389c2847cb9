/** Texts that programs write in place of a missing value. */
const noValues = new Set(['undefined', 'null', 'NaN', 'None', '[object Object]'])

/** Whether a text is what programs write in place of a missing value: `undefined`. */
export function isNoValue(text: string): boolean {
  return noValues.has(text)
}

/** Whether a text is a place in a template that nobody filled in: `{app_id}`, `<API_KEY>`. */
export function isTemplate(text: string): boolean {
  return /^(?:\$?\{.*\}|<.*>)$/s.test(text)
}
