import { test } from '../support/e2e.ts'
import { rewardFlow } from './reward-flow.ts'

test.use({ engine: 'postgres' })

rewardFlow(test, 'PostgreSQL')
