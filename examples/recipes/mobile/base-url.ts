const port = 4010

/**
 * Where Greenhouse on your machine is, seen from an app: `Platform.OS` of React Native, and the
 * machine's address for a phone.
 */
export function toBaseUrl(platform: 'ios' | 'android' | 'web', machine?: string): string {
  if (machine !== undefined) return `http://${machine}:${port}`
  // In an Android emulator 127.0.0.1 is the emulator, and 10.0.2.2 is your machine.
  return platform === 'android' ? `http://10.0.2.2:${port}` : `http://127.0.0.1:${port}`
}
