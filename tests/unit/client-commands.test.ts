import { describe, expect, it } from 'vitest'
import { denialOf } from '../../contract/access.ts'
import type { Subject } from '../../src/commands/subject.ts'
import type { WorkspaceApi } from '../../src/commands/workspaceApi.ts'
import { filterOptions } from '../../src/palette/choices.ts'
import { commandOf } from '../support/commands.ts'

const client = (record: object): Subject => ({ kind: 'client', id: 1, name: 'Acme', record: { ...record } })
const question = (subjects: Subject[]) => commandOf('client.remove').confirm!(subjects, {} as never).body

describe('the review before a client is deleted', () => {
  const acme = client({ users_count: 3, projects_count: 12, campaigns_count: 0, teams_count: 2 })
  it('counts who loses what, and says what else is deleted', () =>
    expect(question([acme])).toBe(
      '3 users lose access to 12 projects immediately. 2 teams are deleted too. Its projects and their history stay.',
    ))
  it('counts both kinds of projects, across several clients', () =>
    expect(question([acme, client({ users_count: 0, projects_count: 1, campaigns_count: 1, teams_count: 0 })])).toBe(
      '3 users lose access to 13 projects and 1 survey project immediately. 2 teams are deleted too. Their projects and history stay.',
    ))
  it('counts what the server would do, not what the row said when it was read', async () => {
    const tried: unknown[] = []
    const api = {
      async dryRun(...call: unknown[]) {
        tried.push(call.slice(0, 2))
        return { data: { users: 4, teams: 1 } }
      },
    }
    const foreseen = await commandOf('client.remove').foresees!({ api, subjects: [acme], answers: {} } as never)
    expect(tried).toEqual([['client.remove', { id: 1 }]])
    expect(foreseen!.body).toBe(
      '4 users lose access to 12 projects immediately. 1 team is deleted too. Its projects and their history stay.',
    )
  })
  it('says so if nobody is affected', () =>
    expect(question([client({ users_count: 0, projects_count: 2, campaigns_count: 0, teams_count: 0 })])).toBe(
      'No user loses access. Its projects and their history stay.',
    ))
})

describe('removing a user from a client', () => {
  const command = commandOf('client.removeUser')
  const user = (...clients: { id: number; name: string }[]): Subject => ({
    kind: 'user',
    id: 7,
    name: 'Ana Diaz',
    record: { clients },
  })
  const two = user({ id: 1, name: 'Acme' }, { id: 2, name: 'Bluewater' })
  const at = (focused: Subject | null) =>
    ({ subjects: () => ({ focused, cursor: null, selected: [] }) }) as unknown as WorkspaceApi
  const prefilled = (subject: Subject, focused: Subject | null) =>
    (command.asks!.client as { prefill: (subjects: Subject[], workspace: WorkspaceApi) => unknown }).prefill(
      [subject],
      at(focused),
    )
  it('uses the client whose users are shown, else the only one, else asks', () => {
    expect(prefilled(two, client({}))).toBe(1)
    expect(prefilled(two, { kind: 'client', id: 99, name: 'Other' })).toBeUndefined()
    expect(prefilled(user({ id: 2, name: 'Bluewater' }), null)).toBe(2)
  })
  it('says what they lose, with both names', () =>
    expect(command.confirm!([two], { client: 2 } as never)).toMatchObject({
      title: 'Remove Ana Diaz from “Bluewater”?',
      body: expect.stringContaining('lose access to its projects, results and exports'),
    }))
  it('is disabled for users without a client', () => {
    expect(command.disabledReason!(at(null), [user()])).toBe('they belong to no client')
    expect(command.disabledReason!(at(null), [two])).toBeNull()
  })
})

describe('choosing a user', () => {
  const options = [
    { value: '7', label: 'Aisha Khan', detail: 'aisha.khan@harvest.example' },
    { value: '8', label: 'Aisha Khan', detail: 'a.khan@bluewater.example' },
  ]
  it('shows the email beside the name and finds by it', () => {
    expect(filterOptions(options, 'aisha').map(({ detail }) => detail)).toEqual(options.map(({ detail }) => detail))
    expect(filterOptions(options, 'bluewater').map(({ value }) => value)).toEqual(['8'])
    expect(filterOptions(options, 'a.khan@blue').map(({ value }) => value)).toEqual(['8'])
  })
})

describe('commands on several users', () => {
  const person = (id: number, more: object = {}): Subject => ({
    ...{ kind: 'user', id, name: `User ${id}` },
    record: { role: 'client', clients: [{ id: 1, name: 'Acme' }], teams: [], ...more },
  })
  it('leave out who isn’t on the client, belongs to all of them already, or sees everything', () => {
    expect(commandOf('client.removeUser').excludes!(person(7), { client: 2 } as never)).toBe('not a user of this client')
    expect(commandOf('client.removeUser').excludes!(person(7), { client: 1 } as never)).toBeNull()
    const joins = (user: Subject, clients: number[]) => commandOf('user.addToClients').excludes!(user, { clients } as never)
    expect(joins(person(7), [1])).toBe('already a user there')
    expect(joins(person(7), [1, 2])).toBeNull()
    const admin = { id: 1, role: 'admin', admin_id: null } as const
    const added = {
      id: 7,
      role: 'admin',
      status: 'active',
      last_admin: false,
      pending: false,
      needs_approval: false,
      asked_by: null,
    } as const
    expect(denialOf('user.addToClients', admin, added)).toBe('administrators see everything already')
  })
  it('offer the clients that any of them belongs to, with how many do', async () => {
    const ask = commandOf('client.removeUser').asks!.client as { among: (...given: unknown[]) => Promise<unknown> }
    const both = [
      person(7),
      person(8, {
        clients: [
          { id: 2, name: 'Bluewater' },
          { id: 1, name: 'Acme' },
        ],
      }),
    ]
    expect(await ask.among({}, both)).toEqual([
      { value: '1', label: 'Acme', detail: '2 of 2 users' },
      { value: '2', label: 'Bluewater', detail: '1 of 2 users' },
    ])
  })
})

describe('making somebody an administrator', () => {
  const command = commandOf('user.edit')
  const user: Subject = { kind: 'user', id: 7, name: 'Ana Diaz', record: { role: 'client', lock_version: 3 } }
  const left = [{ id: 1, name: 'Acme', teams: [{ id: 5, name: 'West' }] }]
  it('asks for confirmation, which no other edit does', () => {
    expect(command.confirmIf!([user], { role: 'admin' } as never)).toBe(true)
    expect(command.confirmIf!([user], { role: 'client' } as never)).toBe(false)
    expect(command.confirmIf!([{ ...user, record: { role: 'admin' } }], { role: 'admin' } as never)).toBe(false)
  })
  it('says which clients and teams they leave, from a dry run of the write', async () => {
    const tried: unknown[] = []
    const dryRun = async (...given: unknown[]) => {
      tried.push(given.slice(0, 2))
      return { left }
    }
    const answers = { first_name: 'Ana', last_name: 'Diaz', phone: '2125550100', email: 'ana@acme.test', role: 'admin' }
    const foreseen = { api: { dryRun }, subjects: [user], answers, signal: new AbortController().signal }
    expect(await command.foresees!(foreseen as never)).toEqual({
      body: 'They see everything, and leave “Acme” and “West”.',
      lines: [{ label: 'Acme', value: 'and its teams West' }],
    })
    expect(tried).toEqual([['user.edit', { ...answers, id: 7, lock_version: 3, birth_date: null }]])
  })
})
