import { beforeAll, describe, expect, test } from 'vitest'
import { exported } from './exporting.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { upload } from './uploading.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const fresh = () => app.make.project({ client_id: app.client.id })
const FILE = '/v3/rewards/redeem/file'
const csv = (...lines: string[]) => [['people.csv', Buffer.from(lines.join('\r\n'))]] as [string, Buffer][]

describe('the catalogue of rewards', () => {
  test('is only for administrators, like receivers and uploads', async () => {
    const { id } = await app.make.reward({ project_id: (await fresh()).id })
    const client = app.as('client')
    expect((await client.call('reward.list', {})).status).toBe(403)
    expect((await client.call('reward.get', { id })).status).toBe(403)
    expect((await client.call('receiver.list', {})).status).toBe(403)
    expect((await client.call('reward.imports', {})).status).toBe(403)
    expect((await client.call('reward.remove', { id })).status).toBe(403)
    expect((await client.call('list.selection', { list: 'receivers', filter: '{}' })).status).toBe(403)
    expect((await client.call('export.start', { source: 'receivers', filter: {} })).status).toBe(403)
  })

  test('validates a reward with the specification’s messages, and warns about an amount that can’t be paid', async () => {
    const { id: project_id } = await fresh()
    const make = (given: object) =>
      admin().call('reward.create', { project_id, name: '$7 Card', amount: 7, partner_id: 1, ...given } as never)
    expect((await make({ name: ' ' })).body.fields).toMatchObject({ name: 'Reward Name cannot be blank' })
    expect((await make({ amount: '' })).body.fields).toMatchObject({ amount: 'Reward Amount cannot be blank' })
    for (const amount of [0, -1, '-0.01'])
      expect((await make({ amount })).body.fields).toMatchObject({ amount: 'Reward Amount must be more than 0' })
    for (const [amount, meant] of [
      ['12,50', '$12.50'],
      ['5,0', '$5.00'],
      [5.001, '$5.00'],
      ['1e1', '$10.00'],
    ])
      expect((await make({ amount })).body.fields.amount).toMatch(
        `Reward Amount must be an amount, such as 12.50. Write ${String(meant).slice(1)} if you mean ${meant}`,
      )
    for (const amount of ['0x10', true, [5]]) expect((await make({ amount })).status).toBe(422)
    const { body } = await make({})
    expect(body).toMatchObject({
      message: 'Reward created',
      data: { amount: 7, amount_flag: true },
      warnings: [expect.stringContaining('Gift card pays 5, 10')],
    })
    expect((await make({ name: ' $7  card' })).body.message).toBe('A reward of this project already has this name.')
  })

  test('says on edit and deletion how many pending entries keep their amount, and can be undone', async () => {
    const { id: project_id } = await fresh()
    const { id } = await app.make.reward({ project_id, name: '$5', amount_cents: 500 })
    const one = await app.make.entry({ project_id, reward_id: id, amount_cents: 500 })
    const edited = await admin().call('reward.edit', { id, amount: 10 })
    expect(edited.body.message).toBe('Reward updated. 1 pending entry keeps $5.00.')
    const entry = await app.db.selectFrom('entries').select('amount_cents').where('id', '=', one.id).executeTakeFirstOrThrow()
    expect(entry.amount_cents).toBe(500)
    const gone = await admin().call('reward.remove', { id })
    expect(gone.body).toMatchObject({
      message: '“$5” was deleted. 1 pending entry keeps it and can still be paid.',
      data: { pending: 1 },
    })
    await admin().call('undo.take', { id: Number(gone.headers['x-undo']) })
    expect((await admin().call('reward.ofProject', { id: project_id })).body).toMatchObject({
      count: 1,
      data: [{ id, pending_count: 1, pending_cents: 500, share: 100 }],
      totals: { pending_cents: 500 },
    })
  })

  test('have shares of their project’s entries that add up to 100', async () => {
    const { id: project_id } = await fresh()
    for (const name of ['A', 'B', 'C']) {
      const { id: reward_id } = await app.make.reward({ project_id, name })
      await app.make.entry({ project_id, reward_id })
    }
    const { data } = (await admin().call('reward.ofProject', { id: project_id })).body
    expect(data.map(({ share }) => share).sort()).toEqual([33.3, 33.3, 33.4])
  })

  test('copies rewards to projects, but not over an existing name', async () => {
    const [from, to] = [await fresh(), await fresh()]
    const a = await app.make.reward({ project_id: from.id, name: 'A' })
    const b = await app.make.reward({ project_id: from.id, name: 'B' })
    await app.make.reward({ project_id: to.id, name: 'b ' })
    const { body } = await admin().call('reward.copy', { ids: [a.id, b.id], project_ids: [to.id] })
    expect(body.message).toBe('1 reward copied, 1 skipped: the project already has one with this name.')
  })
})

describe('receivers of all projects', () => {
  test('are found by filters and search, and paged by cursor in any order', async () => {
    const { id: project_id } = await fresh()
    for (let nth = 0; nth < 7; nth++)
      await app.make.entry({
        project_id,
        email: `walk${nth % 5}@find.test`,
        ip: `203.0.113.${nth}`,
        amount_cents: nth === 6 ? 700 : 1000,
        status: nth % 2 ? 'rejected' : 'pending',
      })
    const all = await admin().call('receiver.list', { search: 'walk', per_page: 100 })
    expect(all.body.count).toBe(7)
    for (const column of ['', 'id', 'email', 'amount', 'status', 'provider', 'ip', 'flags', 'created_at', 'sent_at'] as const) {
      const seen: number[] = []
      for (let after: string | null = ''; after !== null; ) {
        const { body }: { body: { data: { id: number }[]; next: string | null } } = await admin().call('receiver.list', {
          project_id,
          column,
          per_page: 2,
          after,
        })
        seen.push(...body.data.map(({ id }) => id))
        after = body.next
      }
      expect(new Set(seen).size, column).toBe(7)
      expect(seen, column).toHaveLength(7)
    }
    const count = async (filter: object) => (await admin().call('receiver.list', { project_id, ...filter } as never)).body.count
    expect(await count({ flag: 'amount' })).toBe(1)
    expect(await count({ status: 'rejected' })).toBe(3)
    expect(await count({ min: 7, max: 7 })).toBe(1)
    expect(await count({ min: '7.00', max: '$7' })).toBe(1)
    expect((await exported(app, admin(), 'receivers', { project_id, min: 7, max: 7 })).rows()).toBe(1)
    expect(await count({ search: '203.0.113.3' })).toBe(1)
    expect(await count({ client_id: app.client.id, from: '2020-01-01', to: '2099-01-01' })).toBe(7)
  })
})

test('a bound of the receivers that isn’t an amount is refused with the likely one', async () => {
  for (const [min, meant] of [
    ['12,50', '12.50'],
    ['1 200', '1,200.00'],
    ['5k', '5,000.00'],
  ]) {
    const answer = await admin().call('receiver.list', { min } as never)
    expect([answer.status, answer.body.fields.min]).toEqual([
      422,
      expect.stringContaining(`Write ${meant} if you mean $${meant}`),
    ])
  }
  expect((await admin().call('receiver.list', { min: '', max: ' 1,250.50 ' } as never)).status).toBe(200)
})

describe('an uploaded list of people', () => {
  test('becomes pending entries, row by row, and pays nothing', async () => {
    const { id: project_id } = await fresh()
    await app.make.reward({ project_id, name: '$5 Gift card', amount_cents: 500 })
    const files = csv(
      'E-mail,Amount,Reward',
      'ann@up.test,$10,',
      'bob@up.test,,$5 Gift card',
      'ann@up.test,7,',
      'nobody,5,',
      'cy@up.test,,$7 card',
      'di@up.test,,',
    )
    const tried = await upload(admin(), files, { project_id, dry: 1 }, FILE)
    expect([tried.headers['fieldwork-dry'], tried.body]).toEqual(['1', expect.objectContaining({ dry: true })])
    expect(tried.body).toMatchObject({
      data: { import_id: null, check: { rows: 6, ready: 3, failed: 3, amount_cents: 2200, unpayable: 1, repeated_in_file: 1 } },
    })
    const { first } = (tried.body as unknown as { data: { check: { first: { line: number; kind: string }[] } } }).data.check
    expect(first.map(({ line, kind }) => `${line} ${kind}`)).toEqual(['4 repeat', '4 amount', '5 error', '6 error', '7 error'])
    const preview = await upload(admin(), files, { project_id, dry: 1, mapping: '["email","amount",""]' }, FILE)
    expect(preview.body).toMatchObject({ data: { check: { ready: 2, failed: 4 } } })
    const sent = (await upload(admin(), files, { project_id }, FILE)).body as unknown as {
      data: { import_id: number; job_id: number }
    }
    const { import_id, job_id } = sent.data
    await app.services.jobs.settled(job_id, 10_000)
    const again = await upload(admin(), files, { project_id }, FILE)
    expect(again.status).toBe(409)
    const { body } = await admin().call('reward.import', { id: import_id })
    expect(body.data).toMatchObject({ status: 'done', created: 3, failed: 3, amount_cents: 2200 })
    const errors = await admin().call('reward.importRows', { id: import_id, kind: 'error' })
    expect(errors.body.data.map(({ message }) => message)).toEqual([
      'The Email is not valid',
      '“$7 card” is not a reward of this project',
      'Reward Amount cannot be blank',
    ])
    const all = await admin().call('reward.importRows', { id: import_id })
    expect(all.body.data.map(({ line, kind }) => [line, kind])).toEqual([
      [4, 'repeat'],
      [4, 'amount'],
      [5, 'error'],
      [6, 'error'],
      [7, 'error'],
    ])
    await app.make.entry({ project_id })
    const entries = await admin().call('entry.list', { id: project_id, import_id, order: 'asc' })
    expect(entries.body.count).toBe(3)
    expect(entries.body.data.map(({ status, flags }) => [status, flags])).toEqual([
      ['pending', 2],
      ['pending', 0],
      ['pending', 3],
    ])
    await admin().call('entry.reject', { id: entries.body.data[1]!.id, reason: 'No' })
    const undone = await admin().call('import.undo', { id: import_id })
    expect(undone.body).toMatchObject({ data: { removed: 2, kept: 1 } })
    expect(
      (
        await app.db
          .selectFrom('payouts')
          .select('entry_id')
          .where(
            'entry_id',
            'in',
            entries.body.data.map(({ id }) => id),
          )
          .execute()
      ).length,
    ).toBe(0)
  })

  test('takes a column by its heading only if its cells fit, and is read otherwise on request', async () => {
    const { id: project_id } = await fresh()
    type Check = { data: { check: { columns: { as: string }[]; ready: number; taken: object; head: object[] } } }
    const check = async (lines: string[], more: Record<string, string | number> = {}) => {
      const { body } = await upload(admin(), csv(...lines), { project_id, dry: 1, ...more }, FILE)
      return (body as unknown as Check).data.check
    }
    const address = await check(['Email,Amount,Address', 'a@fit.test,10,12 Main St', 'b@fit.test,10,14 Main St'])
    expect([address.ready, address.columns.map(({ as }) => as)]).toEqual([2, ['email', 'amount', '']])
    const code = await check(['Panelist Email,Amount,Code', 'a@fit.test,10,P-1', 'b@fit.test,10,P-2'])
    expect([code.ready, code.columns.map(({ as }) => as)]).toEqual([2, ['email', 'amount', '']])
    const ip = await check(['Email,Amount,Address', 'a@fit.test,10,192.0.2.7', 'b@fit.test,10,192.0.2.8'])
    expect(ip.columns.map(({ as }) => as)).toEqual(['email', 'amount', 'ip'])
    const titled = ['Rewards;autumn', 'Email;Amount', 'a@fit.test;10']
    expect(await check(titled)).toMatchObject({
      ...{ ready: 1, taken: { sheet: '', delimiter: ';', encoding: 'utf-8', heading_line: 2 } },
      head: [{ line: 1, text: 'Rewards, autumn' }, { line: 2 }, { line: 3 }],
    })
    expect(await check(titled, { heading_line: 0 })).toMatchObject({ rows: 3, taken: { heading_line: 0 } })
    expect((await check(titled, { delimiter: ',' })).columns).toHaveLength(1)
  })

  test('has decimal commas if its cells are divided by semicolons, and the check says so', async () => {
    const { id: project_id } = await fresh()
    const files = csv('E-mail;Betrag', 'ann@comma.test;12,50', 'bob@comma.test;1.250,00', 'cy@comma.test;7', 'nobody;1,50')
    const mapping = { mapping: '{"email":"E-mail","amount":"Betrag"}' }
    const tried = await upload(admin(), files, { project_id, dry: 1, ...mapping }, FILE)
    expect(tried.body).toMatchObject({
      data: { check: { ready: 3, failed: 1, amount_cents: 126_950, decimal_commas: ['Betrag'] } },
    })
    expect(tried.body.message).toContain('Commas in “Betrag” are read as decimal signs.')
    const sent = (await upload(admin(), files, { project_id, ...mapping }, FILE)).body as unknown as {
      data: { import_id: number; job_id: number }
    }
    await app.services.jobs.settled(sent.data.job_id, 10_000)
    const { import_id } = sent.data
    const entries = await admin().call('entry.list', { id: project_id, import_id, order: 'asc' })
    expect(entries.body.data.map(({ amount }) => amount)).toEqual([12.5, 1250, 7])
    const { url } = (await admin().call('reward.importErrors', { id: import_id })).body.data
    expect((await admin().raw('GET', url)).text).toContain('nobody,1.50,')
    const mixed = csv('Email;Amount', 'ann@mixed.test;12,50', 'bob@mixed.test;5.00', 'cy@mixed.test;1 200')
    const refused = (await upload(admin(), mixed, { project_id, dry: 1 }, FILE)).body as unknown as {
      data: { check: { ready: number; decimal_commas: string[]; first: { line: number; message: string }[] } }
    }
    const { ready, decimal_commas, first } = refused.data.check
    expect([ready, decimal_commas]).toEqual([1, []])
    expect(first.map(({ line, message }) => [line, message])).toEqual([
      [2, expect.stringContaining('Write 12.50 if you mean $12.50')],
      [4, expect.stringContaining('Write 1,200.00 if you mean $1,200.00')],
    ])
  })

  test('is read like any imported file, and can be run again after an undo', async () => {
    const { id: project_id } = await fresh()
    const files = csv('Email,Amount', 'ann@up.test,10', 'bob@up.test,5')
    const sent = (await upload(admin(), files, { project_id }, FILE)).body as unknown as {
      data: { import_id: number; job_id: number }
    }
    const { import_id: id, job_id } = sent.data
    await app.services.jobs.settled(job_id, 10_000)
    const { body } = await admin().call('import.get', { id })
    expect(body.data).toMatchObject({ kind: 'reward', project_id, created: 2, group_id: null, preview: null })
    expect((await admin().call('import.map', { id, mapping: ['', ''] })).status).toBe(409)
    expect((await admin().call('import.run', { id })).status).toBe(409)
    await admin().call('import.undo', { id })
    const again = await admin().call('import.run', { id, again: true })
    await app.services.jobs.settled(again.body.data.job_id!, 10_000)
    expect((await admin().call('reward.import', { id })).body.data).toMatchObject({
      status: 'done',
      created: 2,
      amount_cents: 1500,
    })
    expect((await admin().call('entry.list', { id: project_id, import_id: id })).body.count).toBe(2)
  })
})
