import { test } from '../support/e2e.ts'
import { rewardFlow } from './reward-flow.ts'

rewardFlow(test, 'SQLite')
