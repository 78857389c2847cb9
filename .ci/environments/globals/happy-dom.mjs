// Replaces Node's globals with happy-dom's, like its global registrator.
import { Window } from 'happy-dom'
import { replace } from './replace.mjs'

replace(new Window({ url: 'http://localhost:3000/' }))
