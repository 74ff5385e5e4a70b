import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'
import { markAtOnce } from '../entryMarks.ts'

/** Bit 1 of `flags`: an amount that its provider can't pay; a test holds it to PROVIDERS. */
const UNPAYABLE = (row: string) => `case
  when ${row}.provider_id = 1 and ${row}.amount_cents not in (500, 1000, 1500, 2000, 2500, 5000) then 1
  when ${row}.provider_id = 600 and ${row}.amount_cents not in (500, 1000, 1500, 2000, 2500, 5000, 10000) then 1 else 0 end`
const ALIVE = `in ('pending', 'processing', 'sent')`

/** What counts repeats: the column, its bit of `flags`, and the rows that have a value. */
const REPEATS = [
  { column: 'email_key', bit: 2, given: (row: string) => `${row}.email_key <> ''` },
  { column: 'ip', bit: 4, given: (row: string) => `${row}.ip <> ''` },
] as const

/**
 * Flags of entries and sums of them, kept by triggers: whatever writes an entry, an older release too, keeps both.
 * PostgreSQL marks rows from before after the migrations, as others write meanwhile (entryMarks.ts).
 */
export const entryMarks = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    const int = engine === 'postgres' ? 'bigint' : 'integer'
    const run = (text: string) => sql.raw(text).execute(db)
    await run(`alter table "entries" add column "import_id" ${int}`)
    await run(`alter table "entries" add column "flags" integer not null default 0`)
    await run(`create table "entry_totals" ("project_id" ${int} not null, "reward_id" ${int} not null, "status" text not null,
      "flagged" integer not null, "count" ${int} not null, "amount_cents" ${int} not null,
      primary key ("project_id", "reward_id", "status", "flagged"))${engine === 'sqlite' ? ' without rowid' : ''}`)
    for (const text of engine === 'postgres' ? postgres() : sqlite()) await run(text)
    await markAtOnce(db, engine)
  },
})

/** How many of up to three entries that aren't rejected share a value with a row. */
const few = (row: string, column: string) =>
  `(select count(*) from (select 1 from entries where project_id = ${row}.project_id and ${column} = ${row}.${column} and status ${ALIVE} limit 3))`

/** By row: others are touched only where one becomes two or two become one, so that a large cluster stays cheap. */
function sqlite(): string[] {
  const add = (
    row: string,
    sign: '' | '-',
  ) => `insert into entry_totals (project_id, reward_id, status, flagged, count, amount_cents)
    values (${row}.project_id, coalesce(${row}.reward_id, 0), ${row}.status, ${row}.flags <> 0, ${sign}1, ${sign}${row}.amount_cents)
    on conflict (project_id, reward_id, status, flagged) do update set count = count + excluded.count, amount_cents = amount_cents + excluded.amount_cents;`
  const bits = (row: string) =>
    REPEATS.map(({ column, bit, given }) => `(case when ${given(row)} and ${few(row, column)} > 1 then ${bit} else 0 end)`)
  const own = `update entries set flags = ${[`(${UNPAYABLE('new')})`, ...bits('new')].join(' | ')} where id = new.id;`
  const of = (row: string, column: string) => `project_id = ${row}.project_id and ${column} = ${row}.${column}`
  const watched = 'status, flags, amount_cents, reward_id, project_id'
  const differs = watched.split(', ').map((column) => `old.${column} is not new.${column}`)
  return [
    `create trigger tr_entries_added after insert on entries begin ${add('new', '')} ${own} end`,
    `create trigger tr_entries_gone after delete on entries begin ${add('old', '-')} end`,
    `create trigger tr_entries_moved after update of ${watched} on entries when ${differs.join(' or ')} begin ${add('old', '-')} ${add('new', '')} end`,
    `create trigger tr_entries_worth after update of amount_cents, provider_id on entries begin
      update entries set flags = (flags & ~1) | (${UNPAYABLE('new')}) where id = new.id; end`,
    ...REPEATS.flatMap(({ column, bit, given }) => {
      const set = (row: string) => `update entries set flags = flags | ${bit} where ${of(row, column)} and (flags & ${bit}) = 0;`
      const clear = (row: string) =>
        `update entries set flags = flags & ~${bit} where ${of(row, column)} and (flags & ${bit}) <> 0;`
      return [
        `create trigger tr_entries_${column}_added after insert on entries
          when ${given('new')} and new.status <> 'rejected' and ${few('new', column)} = 2 begin ${set('new')} end`,
        `create trigger tr_entries_${column}_back after update of status on entries
          when ${given('new')} and old.status = 'rejected' and new.status <> 'rejected' and ${few('new', column)} = 2 begin ${set('new')} end`,
        `create trigger tr_entries_${column}_out after update of status on entries
          when ${given('new')} and old.status <> 'rejected' and new.status = 'rejected' and ${few('new', column)} = 1 begin ${clear('new')} end`,
        `create trigger tr_entries_${column}_gone after delete on entries
          when ${given('old')} and old.status <> 'rejected' and ${few('old', column)} = 1 begin ${clear('old')} end`,
        // Nothing changes an entry's address or project today; if something did, both clusters would be marked again.
        `create trigger tr_entries_${column}_other after update of ${column}, project_id on entries begin
          update entries set flags = (flags & ~${bit}) | (case when ${column} <> '' and ${few('old', column)} > 1 then ${bit} else 0 end) where ${of('old', column)};
          update entries set flags = (flags & ~${bit}) | (case when ${column} <> '' and ${few('new', column)} > 1 then ${bit} else 0 end) where ${of('new', column)};
        end`,
      ]
    }),
  ]
}

/**
 * By statement; the lock of a project keeps two writers from each seeing one entry of a pair.
 * Indexes are used whatever the planner has heard of the table, as it may just have been filled.
 */
function postgres(): string[] {
  const counted = (rows: string, sign: string) =>
    `select project_id, coalesce(reward_id, 0) as reward_id, status, case when flags <> 0 then 1 else 0 end as flagged, ${sign}1 as n, ${sign}amount_cents as cents from ${rows}`
  const add = (rows: string) => `insert into entry_totals as t (project_id, reward_id, status, flagged, count, amount_cents)
    select project_id, reward_id, status, flagged, sum(n), sum(cents) from (${rows}) moved
    group by project_id, reward_id, status, flagged having sum(n) <> 0 or sum(cents) <> 0 order by 1, 2, 3, 4
    on conflict (project_id, reward_id, status, flagged) do update set count = t.count + excluded.count, amount_cents = t.amount_cents + excluded.amount_cents;`
  const keys = 'array_agg(project_id), array_agg(email_key), array_agg(ip)'
  const remark = (rows: string) => `select ${keys} into projects, emails, ips from (${rows}) touched;
    if projects is not null then perform entry_remark(projects, emails, ips); end if;`
  const worth = (rows: string) => `update entries e set flags = (e.flags & ~1) | (${UNPAYABLE('e')})
    where e.id in (select id from ${rows}) and (e.flags & 1) <> (${UNPAYABLE('e')});`
  const changed = `from new_rows n join old_rows o on o.id = n.id
    where (o.status = 'rejected') <> (n.status = 'rejected') or o.email_key <> n.email_key or o.ip <> n.ip or o.project_id <> n.project_id`
  const on = (name: string, event: string, tables: string, when = '') => [
    `create trigger ${name}_${event} after ${event} on entries referencing ${tables} for each statement ${when} execute function ${name}()`,
  ]
  const [olds, news] = ['old table as old_rows', 'new table as new_rows']
  const first = 'when (pg_trigger_depth() < 1)'
  return [
    `create function entry_remark(projects bigint[], emails text[], ips text[]) returns void language plpgsql
      set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$ begin
      perform pg_advisory_xact_lock(5417327, one.id::int) from (select distinct unnest(projects) as id order by 1) one;
      ${REPEATS.map(
        ({ column, bit }) => `update entries e set flags = (e.flags & ~${bit}) | k.bits from (
          select given.project_id, given.value, case when (select count(*) from (select 1 from entries c
            where c.project_id = given.project_id and c.${column} = given.value and c.status ${ALIVE} limit 2) two) > 1 then ${bit} else 0 end as bits
          from (select distinct project_id, value from unnest(projects, ${column === 'ip' ? 'ips' : 'emails'}) as pair (project_id, value) where value <> '') given offset 0
        ) k where e.project_id = k.project_id and e.${column} = k.value and (e.flags & ${bit}) <> k.bits;`,
      ).join('\n')}
    end $$`,
    `create function entry_flags() returns trigger language plpgsql as $$
      declare projects bigint[]; emails text[]; ips text[];
      begin
        if tg_op = 'INSERT' then ${worth('new_rows')} ${remark('select project_id, email_key, ip from new_rows')}
        elsif tg_op = 'DELETE' then ${remark('select project_id, email_key, ip from old_rows')}
        else
          if exists (select 1 from new_rows n join old_rows o on o.id = n.id where o.amount_cents <> n.amount_cents or o.provider_id <> n.provider_id)
          then ${worth('new_rows')} end if;
          ${remark(`select n.project_id, n.email_key, n.ip ${changed} union select o.project_id, o.email_key, o.ip ${changed}`)}
        end if;
        return null;
      end $$`,
    `create function entry_sums() returns trigger language plpgsql as $$ begin
        if tg_op = 'INSERT' then ${add(counted('new_rows', ''))}
        elsif tg_op = 'DELETE' then ${add(counted('old_rows', '-'))}
        else ${add(`${counted('new_rows', '')} union all ${counted('old_rows', '-')}`)}
        end if;
        return null;
      end $$`,
    ...on('entry_flags', 'insert', news, first),
    ...on('entry_flags', 'delete', olds, first),
    ...on('entry_flags', 'update', `${olds} ${news}`, first),
    ...on('entry_sums', 'insert', news),
    ...on('entry_sums', 'delete', olds),
    ...on('entry_sums', 'update', `${olds} ${news}`),
  ]
}
