/** What the runner that runs this file has for tests and fake timers. */
export const { test, fake, unfake, equal, hasReal, hidesRealTimers } = await import(
  /* @vite-ignore */ `./runners/${process.env.RUNNER}.mjs`
)
