import { withGreenhouse } from 'greenhouse-mock/jest'

export default withGreenhouse({ testMatch: ['**/*.test.mjs'] })
