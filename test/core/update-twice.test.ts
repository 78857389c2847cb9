import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

testApi(
  'a record of the fixtures that is updated twice is what its schema makes of it both times',
  async ({ world }) => {
    const { deployments } = world.records
    const [deployment] = deployments.all()
    for (const domain of ['ONE.example.com', 'TWO.example.com', 'Three.Example.COM']) {
      deployments.update(deployment!.id, { domain })
      expect(deployments.get(deployment!.id)).toEqual({ ...deployment, domain: domain.toLowerCase() })
    }
    expect(() => deployments.update(deployment!.id, { state: 'nowhere' as never })).toThrow(TypeError)
    expect(deployments.get(deployment!.id)!.domain).toBe('three.example.com')
  },
)
