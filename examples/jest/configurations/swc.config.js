const { withGreenhouse } = require('greenhouse-mock/jest')

module.exports = withGreenhouse({
  transform: { '^.+\\.(t|j)sx?$': '@swc/jest' },
  transformIgnorePatterns: ['/node_modules/(?!lodash-es/)'],
})
