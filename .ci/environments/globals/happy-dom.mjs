// happy-dom's globals in the place of Node's, as its global registrator puts them.
import { Window } from 'happy-dom'
import { replace } from './replace.mjs'

replace(new Window({ url: 'http://localhost:3000/' }))
