export async function register() {
  if (process.env['NEXT_RUNTIME'] === 'nodejs' && process.env['MOCK'] === '1') {
    const { start } = await import('./mock')
    start()
  }
}
