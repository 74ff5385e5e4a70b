import { expect, test } from 'vitest'
import { marketAreas } from '../../server/db/markets.ts'
import { labelsOf, optionsOf, shortcutsOf } from '../../src/panes/activity/audienceFields.ts'
import { runsFor } from '../../src/panes/activity/promoForm.tsx'
import { readTime, TIMES } from '../../src/panes/activity/times.ts'
import { listChange } from '../../src/panes/project/historyFields.ts'
import { columnsAt, readAreas, rowsFor } from '../../src/panes/shared/marketAreas.ts'

const dmas = marketAreas().map(({ code, name, rank }) => ({ dma_code: code, dma_name: name, rank }))

test('a pasted list of codes and names chooses their areas, and what isn’t one is named', () => {
  const [one, two] = [dmas.find(({ dma_code }) => dma_code === 501)!, dmas.find(({ dma_code }) => dma_code === 803)!]
  expect(readAreas(`501\n${two.dma_name.toUpperCase()}\nAtlantis`, dmas)).toEqual({
    codes: ['501', '803'],
    unknown: ['Atlantis'],
  })
  expect(readAreas('501, 803, 999', dmas)).toEqual({ codes: ['501', '803'], unknown: ['999'] })
  expect(readAreas(`  ${one.dma_name}\t803;501`, dmas)).toEqual({ codes: ['501', '803'], unknown: [] })
})

test('all 210 market areas are three columns of 70 in a wide pane', () => {
  expect(dmas).toHaveLength(210)
  expect(rowsFor(dmas.length, columnsAt(900))).toBe(70)
  expect([columnsAt(320), columnsAt(600)]).toEqual([1, 2])
})

test("'18+' selects every age but 13 to 17", () => {
  expect(shortcutsOf('age', 'project').find(({ label }) => label === '18+')!.values).toEqual(['2', '3', '4', '5', '6', '7'])
  expect(shortcutsOf('age', 'project').find(({ label }) => label === 'All')!.values).toHaveLength(7)
})

test('an older project’s audience has 65 & Older', () => {
  expect(optionsOf('age', 'campaign').at(-1)!.label).toBe('65 & Older')
  expect(labelsOf('age', ['7'], String, 'campaign')).toEqual(['65 & Older'])
  expect(labelsOf('age', ['7'], String, 'project')).toEqual(['65+'])
})

test('the time list has 144 ten-minute steps, and times are typed as people do', () => {
  expect([TIMES.length, TIMES[0], TIMES.at(-1)]).toEqual([144, '00:00', '23:50'])
  expect(['14:10', '1410', '2p', '2:30 pm', '12a', '12 PM', '9', '23:59'].map(readTime)).toEqual([
    '14:10',
    '14:10',
    '14:00',
    '14:30',
    '00:00',
    '12:00',
    '09:00',
    '23:59',
  ])
  expect(['', '25:00', '13p', '9:70', 'noon'].map(readTime)).toEqual([null, null, null, null, null])
})

test('a promotion says how long it runs and when it ends', () => {
  expect(runsFor('2026-11-12', '2026-11-25', '2026-11-22')).toBe('Runs 14 days, ends in 3 days')
  expect(runsFor('2026-11-25', '2026-11-25', '2026-11-22')).toBe('Runs 1 day, starts in 3 days')
  expect(runsFor('2026-11-01', '2026-11-21', '2026-11-22')).toBe('Ran 21 days, ended yesterday')
  expect(runsFor('2026-11-30', '2026-11-21', '2026-11-22')).toBe('')
})

test('the history names the values that an audience gained and lost', () => {
  expect(listChange('age', '2,3', '3,7', 'project')).toBe('added 65+; removed 18 to 24')
  expect(listChange('age', '2,3', '3,7', 'campaign')).toBe('added 65 & Older; removed 18 to 24')
  expect(listChange('targeted_locations', '501,803', '501,602,623', 'project')).toBe('added 2 areas; removed 1 area')
  expect(listChange('name', 'a', 'b', 'project')).toBeNull()
})
