import { beforeEach, describe, expect, it } from 'vitest'
import type { ReadId } from '../../contract/calls.ts'
import type { SubjectKind } from '../../contract/nouns.ts'
import { refreshNouns } from '../../src/data/useCall.ts'
import { itemMaker } from '../../src/list/flattenRows.ts'
import { noteStep, openedName, openedRow, stepAt } from '../../src/list/recordTrails.ts'
import { openedProject } from '../../src/panes/project/openedProject.ts'
import type { CampaignRow, ProjectRow } from '../../src/panes/shared/projectSubject.ts'
import { href } from '../../src/routing/routes.ts'

const PROJECT = { id: 7, name: 'Snack diary', generation: 'project', stored_status: 'active' } as ProjectRow

/** Opens a row of a list that is read with this call. */
function opens(call: ReadId, address: string, row: ProjectRow | CampaignRow, kind: SubjectKind = 'project'): void {
  noteStep(address, {
    trail: {
      source: { call, input: () => ({}), rows: () => [row], count: () => 1, chunk: 50 },
      noun: 'projects',
      itemOf: itemMaker(({ id, name }) => ({ kind, id, name })),
      hrefOf: () => address,
      childrenOf: undefined,
      open: new Set(),
      count: 1,
      chunks: new Map(),
      place: null,
    },
    id: row.id,
    record: 0,
    row,
  })
}
const project = href('project', { id: 7 }, { tab: 'overview' })
const campaign = href('surveyProject', { id: 7 }, { tab: 'overview' })

describe('the row that a record was opened from', () => {
  beforeEach(() => opens('project.listAll', project, PROJECT))

  it('is what its list shows', () => expect(openedRow('project:7')).toEqual({ call: 'project.listAll', row: PROJECT }))
  it('is that of this very record', () => expect(openedRow('project:8')).toBeNull())
  it('is gone after a change of what its list shows', () => {
    refreshNouns(new Set(['project']))
    expect(openedRow('project:7')).toBeNull()
  })
  it('leaves no rows behind, so that the next record is found in the list as it is then', () => {
    const { trail } = stepAt('project:7')!
    trail.chunks = new Map([[1, [PROJECT]]])
    refreshNouns(new Set(['project']))
    expect([...trail.chunks.keys()]).toEqual([])
  })
  it('outlasts a change of something else', () => {
    refreshNouns(new Set(['webhook']))
    expect(openedRow('project:7')).not.toBeNull()
  })
})

describe('what a project shows from it', () => {
  it('is the row, with its key figures', () => {
    opens('project.list', project, PROJECT)
    expect(openedProject('project', 7)).toEqual({ head: PROJECT, row: PROJECT })
  })
  it('is nothing for a parent’s own part, whose figures are less', () => {
    opens('project.list', project, { ...PROJECT, part: 'own' })
    expect(openedProject('project', 7)).toBeNull()
  })
  it('is nothing from a list of something else', () => {
    opens('reward.list', project, PROJECT)
    expect(openedProject('project', 7)).toBeNull()
  })
  it('is the header alone for a v1 row, in the words of a v3 project', () => {
    const row = { id: 7, name: 'Snack diary', status: 'active', status_shown: 'Active', client_id: 3, company_name: 'Northwind' }
    opens('campaign.list', campaign, { ...row, start_date: '09/01/2026', end_date: '' } as CampaignRow)
    expect(openedProject('campaign', 7)).toEqual({
      head: {
        ...{
          id: 7,
          name: 'Snack diary',
          stored_status: 'active',
          status_shown: 'Active',
          client_id: 3,
          client_name: 'Northwind',
        },
        ...{ start_dt: '2026-09-01', end_dt: null },
      },
      row: null,
    })
  })
})

describe('the name in that row', () => {
  beforeEach(() => opens('project.list', project, PROJECT))

  it('is the record’s', () => expect(openedName('project', 7)).toBe('Snack diary'))
  it('is nothing for another record', () => expect(openedName('project', 8)).toBeNull())
  it('is nothing if the row is something else that leads there', () => {
    opens('reward.list', href('project', { id: 7 }, { tab: 'catalogue' }), PROJECT, 'reward')
    expect(openedName('project', 7)).toBeNull()
  })
})
