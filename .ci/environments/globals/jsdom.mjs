// Replaces Node's globals with jsdom's. jsdom has no fetch, Request and Response.
import { JSDOM } from 'jsdom'
import { replace } from './replace.mjs'

replace(new JSDOM('', { url: 'http://localhost:3000/' }).window)
