import { describe, expect, test } from 'vitest'
import type { Quota, QuotaArrivals, QuotaCell } from '../../contract/quota.ts'
import { dimensionsOfAudience, plannedTargets, readQuotaSheet } from '../../contract/quotaSheet.ts'
import { isStarving, whyNotFilled } from '../../contract/quotaWhy.ts'
import { newTargets, sumWords } from '../../src/commands/quotas/newTargets.ts'

describe('a pasted table', () => {
  test('has a dimension for each block, marginal or interlocked, with targets or shares', () => {
    const { dimensions, faults } = readQuotaSheet(
      'Age\tShare\n18 to 24\t12.11 %\n25–34\t17.54\n4\t16.72\n45 to 54\t15.65\n55 to 64\t16.24\n65+\t21.74\n\nGender,Income,Target\nfemale,"< $24,999",240\nmale|Other,0,235\n',
      475,
    )
    expect(faults).toEqual([])
    expect(dimensions.map(({ name, kind, fields }) => [name, kind, fields])).toEqual([
      ['Age', 'marginal', ['age']],
      ['Gender and household income', 'interlock', ['gender', 'hhi']],
    ])
    expect(plannedTargets(dimensions[0]!, 475)).toEqual([58, 83, 80, 74, 77, 103])
    expect(dimensions[1]!.cells.map(({ conditions, target }) => [conditions, target])).toEqual([
      [{ gender: ['female'], hhi: ['0'] }, 240],
      [{ gender: ['male', 'other'], hhi: ['0'] }, 235],
    ])
  })
  test('says which sum, code, column or overlap is wrong, and what is accepted', () => {
    const faults = (text: string) => readQuotaSheet(text, 100).faults
    expect(faults('Gender,Target\nfemale,60\nmale,50')).toEqual([
      'The targets of “Gender” add up to 110, not to the total of 100.',
    ])
    expect(faults('Gender,Target\nfemale,60\nfemale or male,40')).toEqual([
      'Lines 1 and 2 of “Gender” overlap: a person could be in both.',
    ])
    expect(faults('Gender,Target\nlady,100')).toEqual(['“lady” is not a code of Gender: use female, male, other.'])
    expect(faults('Shoe,Target\n42,100')[0]).toContain('“Shoe” is not a field: use Age, Gender')
    expect(faults('Gender,Wanted\nmale,100')[0]).toContain('headed Target or Share, not “Wanted”')
    expect(faults('Gender,Target\nmale,10.5')).toEqual(['“10.5” is not a target of “Gender”.'])
    expect(faults('Gender,Target\nmale,100\n\nGender,Target\nmale,100')).toEqual(['“Gender” is there twice.'])
  })
})

test('the audience gives cells of its codes alone, by the shares of the population', () => {
  const audience = { age: '2,3,4,5,6,7', gender: 'female,male' }
  const [age, gender] = dimensionsOfAudience(['age', 'gender'], audience, false)
  expect(plannedTargets(age!, 475)).toEqual([58, 83, 80, 74, 77, 103])
  expect(gender!.cells.map(({ name }) => name)).toEqual(['Female', 'Male'])
  const [both] = dimensionsOfAudience(['age', 'gender'], audience, true)
  expect(both!.cells).toHaveLength(12)
  expect(plannedTargets(both!, 475).reduce((sum, one) => sum + one, 0)).toBe(475)
})

const cell = (id: number, target: number, completes: number, more: Partial<QuotaCell> = {}): QuotaCell => ({
  ...{ id, name: `Cell ${id}`, conditions: {}, target, completes, held: 0, free: target - completes, closed: false },
  ...more,
})
const planOf = (cells: QuotaCell[], all: QuotaCell) =>
  ({
    state: 'live',
    all,
    dimensions: [{ id: 1, name: 'Gender', kind: 'marginal', fields: ['gender'], cells }],
  }) as unknown as Quota
const metBy = (id: number, met: Partial<QuotaArrivals['cells'][number]>): QuotaArrivals => ({
  ...{ from: '', arrivals: 20 },
  cells: [{ ...{ id, arrivals: 12, admitted: 3, refused: 9, left: 0, refused_by: [{ id: 2, count: 9 }] }, ...met }],
})

describe('a cell that doesn’t fill', () => {
  const women = cell(1, 50, 10)
  const men = cell(2, 50, 50)
  const plan = planOf([women, men], cell(9, 100, 60))

  test('is one that is a fifth behind its plan’s own pace, open and with places', () => {
    expect(isStarving(women, plan)).toBe(true)
    expect(isStarving(men, plan)).toBe(false)
    expect(isStarving({ ...women, completes: 25, free: 25 }, plan)).toBe(false)
    expect(isStarving({ ...women, closed: true }, plan)).toBe(false)
    expect(isStarving(women, { ...plan, state: 'draft' })).toBe(false)
  })
  test('says why in a sentence', () => {
    const why = (met: Partial<QuotaArrivals['cells'][number]>) => whyNotFilled(women, plan, metBy(1, met))
    expect(why({})).toBe('Of 12 arrivals in 24 hours 9 were refused, all because “Cell 2” was full.')
    expect(why({ arrivals: 0, admitted: 0, refused: 0, refused_by: [] })).toBe('Nobody who fits it arrived in the last 24 hours.')
    expect(why({ refused_by: [] })).toContain('for what isn’t known of them')
    const spread = [2, 3, 4].map((id) => ({ id, count: 3 }))
    const dimensions = [{ ...plan.dimensions[0]!, name: 'Age', cells: spread.map(({ id }) => cell(id, 5, 5)) }]
    expect(whyNotFilled(women, { ...plan, dimensions }, metBy(1, { refused_by: spread }))).toBe(
      'Of 12 arrivals in 24 hours 9 were refused, all by cells of “Age”, 3 of them by “Cell 2”.',
    )
    expect(why({ admitted: 10, refused: 2, left: 8 })).toBe('Of 10 who were admitted in 24 hours, 8 left without completing.')
    expect(why({ arrivals: 1, admitted: 1, refused: 0, refused_by: [] })).toBe(
      '1 person who fits it arrived in 24 hours, for 40 free places.',
    )
    expect(whyNotFilled(men, plan, undefined)).toBe('Full: 50 completes have its places.')
    expect(whyNotFilled({ ...men, completes: 0, held: 50, refused_24h: 1 }, plan, undefined)).toBe(
      'Full: 50 people are in the survey. 1 arrival was refused in 24 hours.',
    )
    expect(whyNotFilled({ ...women, closed: true }, plan, undefined)).toContain('Closed')
  })
})

test('the cells of a plan follow a new total by largest remainder, and one target by itself changes no other', () => {
  const plan = { ...planOf([cell(1, 58, 0), cell(2, 42, 0)], cell(9, 100, 0)), total: 100 }
  expect(newTargets(plan, 9, 75)).toEqual([
    { id: 9, target: 75 },
    { id: 1, target: 43 },
    { id: 2, target: 32 },
  ])
  expect(sumWords(plan, 9, 75)).toEqual(['The targets of its cells follow in proportion.'])
  expect(newTargets(plan, 1, 50)).toEqual([{ id: 1, target: 50 }])
  expect(sumWords(plan, 1, 50)).toEqual(['The targets of “Gender” add up to 92, not to the total of 100.'])
})
