import { test } from '../support/e2e.ts'
import { rewardFlow } from './reward-flow.ts'

test.describe('the whole way', { tag: '@quick' }, () => rewardFlow(test, 'SQLite'))
