export { defineConfig } from './greenhouse/config/define.ts'
export { defineCollection, defineOperation, definePlugin } from './greenhouse/own/define.ts'
