import { loadWorld, startWorker } from './worlds.js'

/** @type {import('@storybook/html-vite').Preview} */
export default {
  beforeAll: () => startWorker().then(() => undefined),
  loaders: [loadWorld],
  tags: ['autodocs'],
}
