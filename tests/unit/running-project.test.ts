import { expect, test } from 'vitest'
import { inFieldLine, isInField } from '../../src/panes/shared/useRunningProject.ts'

const project = { stored_status: 'active', start_dt: '2026-11-03', ordered: 600, completed: 412 }
const TODAY = '2026-11-22'

test('an active or paused project is in field, no other', () => {
  const statuses = [
    'requirements',
    'pricing',
    'submit_approval',
    'approved',
    'active',
    'paused',
    'completed',
    'reporting',
    'rejected',
  ]
  expect(statuses.filter((stored_status) => isInField({ stored_status }))).toEqual(['active', 'paused'])
})

test('the band says since when the project is in field, and how many of its completes are in', () => {
  expect(inFieldLine(project, TODAY)).toBe('In field since Nov 3, 412 of 600 completes')
  expect(inFieldLine({ ...project, start_dt: '2025-11-03', ordered: 1200 }, TODAY)).toBe(
    'In field since Nov 3, 2025, 412 of 1,200 completes',
  )
  expect(inFieldLine({ ...project, stored_status: 'paused' }, TODAY)).toBe('Paused, in field since Nov 3, 412 of 600 completes')
})

test('the band says that a project which is live before its start has yet to start', () => {
  expect(inFieldLine({ ...project, start_dt: '2026-12-01', completed: 0 }, TODAY)).toBe('Live, starts Dec 1, 0 of 600 completes')
  expect(inFieldLine({ ...project, start_dt: null }, TODAY)).toBe('In field, 412 of 600 completes')
})
