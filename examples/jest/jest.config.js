module.exports = {
  preset: 'greenhouse-mock',
  testMatch: ['**/test/**/*.test.[jt]s'],
  transform: { '\\.ts$': 'ts-jest' },
  testTimeout: 30_000,
}
