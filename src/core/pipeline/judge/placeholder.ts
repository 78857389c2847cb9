/** Strings that programs send for a missing value. */
const noValues = new Set(['undefined', 'null', 'NaN', 'None', '[object Object]'])

/** Whether a string stands for a missing value: `undefined`. */
export function isNoValue(text: string): boolean {
  return noValues.has(text)
}

/** Whether a string is an unfilled template: `{app_id}`, `<API_KEY>`. */
export function isTemplate(text: string): boolean {
  return /^(?:\$?\{.*\}|<.*>)$/s.test(text)
}
