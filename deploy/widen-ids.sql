-- Gives a big table ids of 64 bits beside callers, here history: docs/operating.md, "Ids that run out".
-- As the owner of the tables: psql -v ON_ERROR_STOP=1 -f deploy/widen-ids.sql, then widen-ids-swap.sql.
-- A statement that ends with "canceling statement due to lock timeout" met a long reader: run it and the rest again.
-- For another table copy both files, replace the name, and take its indexes from \d. entries also has triggers for
-- its sums; filling changes nothing that they count. To give up before the swap, drop the trigger, the column,
-- the function and the procedure.
set lock_timeout = '100ms';
alter table history add column wide_id bigint;
create function wide_id() returns trigger language plpgsql as 'begin new.wide_id := new.id; return new; end';
create trigger wide_id before insert on history for each row execute function wide_id();
create procedure fill_wide_ids() language plpgsql as $$
declare
  done bigint := 0;
  last bigint := (select max(id) from history);
begin
  while done < last loop
    update history set wide_id = id where id > done and id <= done + 2000 and wide_id is null;
    commit;
    perform pg_sleep(0.02);
    done := done + 2000;
  end loop;
end $$;
set lock_timeout = 0;
call fill_wide_ids();          -- may be stopped and called again
vacuum analyze history;
-- one for each index of \d history that has id, with the same columns and condition
create unique index concurrently history_wide on history (wide_id);
create index concurrently ix_history_17_wide on history (project_id, wide_id);
create index concurrently ix_history_18_wide on history (subject, subject_id, wide_id);
set lock_timeout = '100ms';
alter table history add constraint wide_id_there check (wide_id is not null) not valid;
set lock_timeout = 0;
alter table history validate constraint wide_id_there;
