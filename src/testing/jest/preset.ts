import { join } from 'node:path'
import { findOfJest } from './find-of-jest.ts'

const slash = '[/\\\\]'

/** The packages that msw is made of, of which some are ES modules alone. */
const packages = [
  'msw',
  `@msw${slash}[^/\\\\]+`,
  `@mswjs${slash}[^/\\\\]+`,
  `@open-draft${slash}[^/\\\\]+`,
  'cookie',
  'headers-polyfill',
  'is-node-process',
  'outvariant',
  'rettime',
  'set-cookie-parser',
  'strict-event-emitter',
  'tough-cookie',
  'until-async',
]

const modules = `${slash}node_modules${slash}`
/** Wherever a package manager has them: below another package, or in a store. */
const named = `${modules}(?:${packages.join('|')})${slash}`

/**
 * A preset for Jest: msw's packages that are ES modules become CommonJS, also under jsdom, where msw is to be the one for Node.
 * All else is as Jest has it.
 */
const preset = {
  transform: {
    [`${named}.+\\.m?js$`]: join(__dirname, 'jest-transform.cjs'),
    '\\.[jt]sx?$': findOfJest('babel-jest', process.cwd()) ?? 'babel-jest',
  },
  transformIgnorePatterns: [`^(?!.*${named}).*${modules}`, '\\.pnp\\.[^/\\\\]+$'],
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons'] },
}

export default preset
