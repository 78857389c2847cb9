export { defineCollection, defineOperation, definePlugin } from './greenhouse/own/define.ts'
