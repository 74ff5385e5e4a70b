import { test } from '../support/e2e.ts'
import { placeFlow } from './place-flow.ts'

placeFlow(test, 'SQLite')
