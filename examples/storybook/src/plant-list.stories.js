import { bases } from '../.storybook/worlds.js'
import { createPlantList } from './plant-list.js'

export default {
  title: 'Plant list',
  render: ({ key }, { loaded }) =>
    createPlantList({ plantsUrl: bases.plants, key: loaded.world.key(key) }),
  args: { key: 'key_pro' },
}

export const Plants = {}

export const Empty = { args: { key: 'key_lite' } }

export const Loading = { parameters: { greenhouse: ['timeout'] } }

export const ExpiredKey = { parameters: { greenhouse: ['expired-key'] } }

export const OutOfReach = { parameters: { greenhouse: ['server-error'] } }

export const TooManyRequests = { parameters: { greenhouse: ['rate-limited-plan'] } }

/**
 * A mistake: the key is that of no story. It shows an error, and never the state of another story.
 */
export const ForgottenWorld = {
  render: ({ key }) => createPlantList({ plantsUrl: bases.plants, key }),
}
