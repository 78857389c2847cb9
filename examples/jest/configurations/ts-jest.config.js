const { withGreenhouse } = require('greenhouse-mock/jest')

module.exports = withGreenhouse({ preset: 'ts-jest' })
