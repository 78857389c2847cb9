const nextJest = require('next/jest')
const { withGreenhouse } = require('greenhouse-mock/jest')

const createJestConfig = nextJest({ dir: './' })

module.exports = withGreenhouse(createJestConfig({ testEnvironment: 'jest-fixed-jsdom' }))
