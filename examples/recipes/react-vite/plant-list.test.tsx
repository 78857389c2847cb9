// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { createTest } from 'greenhouse-mock/vitest'
import { afterEach } from 'vitest'
import { PlantList } from './plant-list.tsx'
import { plantsUrl } from './plants.ts'

const test = createTest({ plants: plantsUrl })

afterEach(cleanup)

test('shows the plants', async ({ api, world, expect }) => {
  world.records.plants.replace([{ id: 1, name: 'Ficus', account: 'acct_pro' }])
  render(<PlantList apiKey={api.key('key_pro')} />)
  expect((await screen.findByRole('listitem')).textContent).toBe('Ficus')
})

test('an expired key asks to sign in', async ({ api, world, expect }) => {
  world.use('expired-key')
  render(<PlantList apiKey={api.key('key_pro')} />)
  expect((await screen.findByRole('alert')).textContent).toBe('Please sign in again.')
})
