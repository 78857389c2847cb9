export default {
  testMatch: ['**/tests/*.test.mjs'],
  testEnvironment: process.env.ENVIRONMENT ?? 'node',
  testTimeout: 60_000,
  transform: {},
}
