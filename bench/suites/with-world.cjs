const { withWorld } = require('greenhouse-mock/testing')
const { sendThree } = require('./send-three.cjs')

const { test } = globalThis.beforeAll ? globalThis : require('node:test')

for (let number = 1; number <= 100; number++)
  test(
    `test ${number}`,
    withWorld(({ api }) => sendThree(api.plantsUrl)),
  )
