import type { Engine } from '../connect.ts'

/** Bit 1 of `flags`: an amount that its provider can't pay; a test compares it with PROVIDERS. */
const UNPAYABLE = (row: string) => `case
  when ${row}.provider_id = 1 and ${row}.amount_cents not in (500, 1000, 1500, 2000, 2500, 5000) then 1
  when ${row}.provider_id = 600 and ${row}.amount_cents not in (500, 1000, 1500, 2000, 2500, 5000, 10000) then 1 else 0 end`
const ALIVE = `in ('pending', 'processing', 'sent')`

/** How repeats are detected: the column, its bit of `flags`, and the rows that have a value. */
const REPEATS = [
  { column: 'email_key', bit: 2, hasValue: (row: string) => `${row}.email_key <> ''` },
  { column: 'ip', bit: 4, hasValue: (row: string) => `${row}.ip <> ''` },
] as const

/** Flags of entries and their sums, kept by triggers, so that every writer keeps both. */
export const entryFlagStatements = (engine: Engine): string[] => (engine === 'postgres' ? postgres() : sqlite())

/** How many of up to three entries that aren't rejected share a value with a row. */
const few = (row: string, column: string) =>
  `(select count(*) from (select 1 from entries where project_id = ${row}.project_id and ${column} = ${row}.${column} and status ${ALIVE} limit 3))`

/** By row: others are updated only where one becomes two or two become one, so that a large cluster stays cheap. */
function sqlite(): string[] {
  const add = (
    row: string,
    sign: '' | '-',
  ) => `insert into entry_totals (project_id, reward_id, status, flagged, count, amount_cents)
    values (${row}.project_id, coalesce(${row}.reward_id, 0), ${row}.status, ${row}.flags <> 0, ${sign}1, ${sign}${row}.amount_cents)
    on conflict (project_id, reward_id, status, flagged) do update set count = count + excluded.count, amount_cents = amount_cents + excluded.amount_cents;`
  const bits = (row: string) =>
    REPEATS.map(({ column, bit, hasValue }) => `(case when ${hasValue(row)} and ${few(row, column)} > 1 then ${bit} else 0 end)`)
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
    ...REPEATS.flatMap(({ column, bit, hasValue }) => {
      const set = (row: string) => `update entries set flags = flags | ${bit} where ${of(row, column)} and (flags & ${bit}) = 0;`
      const clear = (row: string) =>
        `update entries set flags = flags & ~${bit} where ${of(row, column)} and (flags & ${bit}) <> 0;`
      return [
        `create trigger tr_entries_${column}_added after insert on entries
          when ${hasValue('new')} and new.status <> 'rejected' and ${few('new', column)} = 2 begin ${set('new')} end`,
        `create trigger tr_entries_${column}_back after update of status on entries
          when ${hasValue('new')} and old.status = 'rejected' and new.status <> 'rejected' and ${few('new', column)} = 2 begin ${set('new')} end`,
        `create trigger tr_entries_${column}_out after update of status on entries
          when ${hasValue('new')} and old.status <> 'rejected' and new.status = 'rejected' and ${few('new', column)} = 1 begin ${clear('new')} end`,
        `create trigger tr_entries_${column}_gone after delete on entries
          when ${hasValue('old')} and old.status <> 'rejected' and ${few('old', column)} = 1 begin ${clear('old')} end`,
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
 * By statement; a lock for each project keeps two writers from each missing the other's half of a pair.
 * Counts before and after, so that others with the value are read only where one becomes two or two become one.
 * Replanned each time, because the table may just have been filled, before any statistics exist:
 * a plan for a small table would find a value by reading its whole project.
 */
function postgres(): string[] {
  const counted = (rows: string, sign: string) =>
    `select project_id, coalesce(reward_id, 0) as reward_id, status, case when flags <> 0 then 1 else 0 end as flagged, ${sign}1 as n, ${sign}amount_cents as cents from ${rows}`
  const add = (rows: string) => `insert into entry_totals as t (project_id, reward_id, status, flagged, count, amount_cents)
    select project_id, reward_id, status, flagged, sum(n), sum(cents) from (${rows}) moved
    group by project_id, reward_id, status, flagged having sum(n) <> 0 or sum(cents) <> 0 order by 1, 2, 3, 4
    on conflict (project_id, reward_id, status, flagged) do update set count = t.count + excluded.count, amount_cents = t.amount_cents + excluded.amount_cents;`
  const seen = (rows: string) =>
    `select id::bigint, project_id, email_key, ip, case when status <> 'rejected' then 1 else 0 end as alive, ${UNPAYABLE(rows)} as unpayable from ${rows}`
  const leaving = (rows: string) => `select null::bigint, project_id, email_key, ip, -alive, unpayable from (${rows}) before`
  const remark = (
    rows: string,
  ) => `select array_agg(id), array_agg(project_id), array_agg(email_key), array_agg(ip), array_agg(alive), array_agg(unpayable)
      into ids, projects, emails, ips, alives, unpayables from (${rows}) touched (id, project_id, email_key, ip, alive, unpayable);`
  const on = (name: string, event: string, tables: string, when = '') => [
    `create trigger ${name}_${event} after ${event} on entries referencing ${tables} for each statement ${when} execute function ${name}()`,
  ]
  const [olds, news] = ['old table as old_rows', 'new table as new_rows']
  const first = 'when (pg_trigger_depth() < 1)'
  /** Touched rows by value: how many unrejected ones there are now, and how many more than before. */
  const values = REPEATS.map(
    ({ column }) => `${column}_counted as materialized (select given.*, (select count(*) from (select 1 from entries c
        where c.project_id = given.project_id and c.${column} = given.value and c.status ${ALIVE} limit greatest(given.more, 0) + 2) found) as now
      from (select project_id, value, sum(alive) as more, array_agg(id) as ids from unnest(ids, projects, ${column === 'ip' ? 'ips' : 'emails'}, alives)
        as touched (id, project_id, value, alive) where value <> '' group by project_id, value offset 0) given)`,
  )
  const bits = REPEATS.map(
    ({ column, bit }) => `select unnest(k.ids), ${bit}, case when k.now > 1 then ${bit} else 0 end from ${column}_counted k
      union all select c.id, ${bit}, case when k.now > 1 then ${bit} else 0 end from ${column}_counted k
      join entries c on c.project_id = k.project_id and c.${column} = k.value where (k.now > 1) <> (k.now - k.more > 1)`,
  )
  return [
    `create function entry_remark(ids bigint[], projects bigint[], emails text[], ips text[], alives int[], unpayables int[]) returns void language plpgsql
      set plan_cache_mode = force_custom_plan set cpu_index_tuple_cost = 1 set cpu_tuple_cost = 1
      set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$ begin
      perform pg_advisory_xact_lock(5417327, one.id::int) from (select distinct unnest(projects) as id order by 1) one;
      with ${values.join(', ')}
      update entries e set flags = (e.flags & ~b.mask) | b.bits from (
        select id, bit_or(mask) as mask, bit_or(bits) as bits
        from (select id, 1, bits from unnest(ids, unpayables) as own (id, bits) union all ${bits.join(' union all ')}) every (id, mask, bits)
        where id is not null group by id
      ) b where e.id = b.id and (e.flags & b.mask) <> b.bits;
    end $$`,
    `create function entry_flags() returns trigger language plpgsql as $$
      declare ids bigint[]; projects bigint[]; emails text[]; ips text[]; alives int[]; unpayables int[];
      begin
        if tg_op = 'INSERT' then ${remark(seen('new_rows'))}
        elsif tg_op = 'DELETE' then ${remark(leaving(seen('old_rows')))}
        else ${remark(`(${seen('new_rows')} except ${seen('old_rows')}) union all ${leaving(`${seen('old_rows')} except ${seen('new_rows')}`)}`)}
        end if;
        if projects is not null then perform entry_remark(ids, projects, emails, ips, alives, unpayables); end if;
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
