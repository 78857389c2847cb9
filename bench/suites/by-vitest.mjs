import { test } from 'greenhouse-mock/vitest'
import { sendThree } from './send-three.cjs'

for (let number = 1; number <= 20; number++)
  test(`test ${number}`, ({ api }) => sendThree(api.plantsUrl))
