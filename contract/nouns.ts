import { address, code, day, FIELD, figure, type ListRow, moment, money, text, word, wordsOf } from './column.ts'
import { DESK_LINES } from './deskRules.ts'
import { MESSAGES } from './messages.ts'
import { STATUS_WORDS } from './status.ts'
import { ACTION_TYPES, ACTIVITY_TYPES, REWARD_STATUSES, ROLES } from './vocabulary.ts'

/**
 * What server and browser need to know of a noun besides its calls, access rules and handlers, as plain data.
 * Ids of routes and calls are plain text because those tables import this one; a test checks them.
 */
export interface NounRow {
  /** Singular and plural. A noun without words is not a record: it prefixes calls or names live updates. */
  words?: readonly [one: string, many: string]
  /** Its name in the icons table (src/runner/icons.tsx). */
  icon?: string
  /** The prefix of its ids: P-4812. */
  code?: string
  /** The route of one record, by `{id}`. */
  screen?: string
  /** The route of the list that finds a record by id, for a noun without a screen. */
  listed?: string
  /** The sidebar section that its screens belong to. */
  section?: 'projects' | 'visitation' | 'settings' | 'v3'
  /** The call that reads one record by id, with its allowed actions. */
  reads?: string
  /** The part of the workspace whose chunk has its commands (src/commands/commandAreas.ts). */
  area?:
    | 'projects'
    | 'activities'
    | 'results'
    | 'rewards'
    | 'people'
    | 'places'
    | 'settings'
    | 'views'
    | 'surveys'
    | 'reports'
    | 'notifications'
    | 'imports'
    | 'visitation'
    | 'webhooks'
    | 'quotas'
  /** The noun that its events and history are filed under: another spelling of it, or the whole it belongs to. */
  of?: string
  /** Other nouns whose records its calls also read and write. */
  also?: readonly string[]
  /** Nouns whose names, counts or figures its reads show; a change to one makes these reads stale. */
  shows?: readonly string[]
  /** More such nouns for single reads, by verb. */
  showsIn?: Readonly<Record<string, readonly string[]>>
  /**
   * The palette finds its records by name.
   * `detail`: the noun whose name is on the second line. `coded`: also found by code.
   * `addressed`: also found by the email that ends the second line.
   * Who finds them is in `FINDS` of access.ts.
   */
  found?: { readonly detail?: 'client' | 'project' | 'brand'; readonly coded?: true; readonly addressed?: true }
  /**
   * Which tokens open its calls (contract/tokenScope.ts), besides those whose scopes name it.
   * `persons`: none; only a signed-in person may use them.
   * `whole`: only tokens with access to every noun, because it looks across them.
   * `within`: also tokens limited to projects.
   */
  tokens?: 'persons' | 'whole' | 'within'
  /** Its responses may contain secrets (links in mails, keys, sessions), so they are never compressed. */
  secrets?: true
  /** The noun of the record that it belongs to, named by its column `{parent}_id`. */
  parent?: 'client' | 'project' | 'brand'
  /**
   * Names are unique among the records of its parent, or among all.
   * `taken`: the message for a taken `{name}`, if it isn't the usual one.
   * `lock`: the number of its turn among `ADVISORY_LOCKS.name`; releases that run side by side share it.
   */
  unique?: { readonly taken?: string; readonly lock: number }
  /**
   * What brings back a deleted record.
   * It is a `{noun}.restore` made of this row, a call of its `own`, or its author's `undo` within a day.
   */
  restores?: Restores | 'own' | 'undo'
  /** A change of a record can change what others see, so live streams check their readers' scope. */
  scopes?: true
  /**
   * What is special about its webhooks. They send the answer of `reads`, in place of the row's own.
   * `none`: they can't follow it. `counts`: its figures change without a change of the record.
   * `status`: the column whose change is one of its status. `silent`: no call changes its records yet.
   */
  webhooks?: {
    readonly reads?: string
    readonly none?: true
    readonly counts?: true
    readonly status?: string
    readonly silent?: true
  }
  /** Its list. A build keeps it out of the first load, together with `LATE` (scripts/virtual-calls.ts). */
  list?: ListRow
}

/** The restore of a noun's deleted records. */
export interface Restores {
  /** Its address is `{at}/{id}/restore`. */
  readonly at: `/v3/portal/${string}`
  /** The links that come back with the record: "its users and projects". */
  readonly with: string
  /** Other nouns whose reads become stale. */
  readonly refreshes: readonly string[]
}

/** TABLE  the nouns: call ids begin with one, live events name one, commands act on those with words. */
export const nouns = {
  project: {
    tokens: 'within',
    words: ['project', 'projects'],
    icon: 'project',
    code: 'P-',
    screen: 'project',
    section: 'projects',
    area: 'projects',
    reads: 'project.get',
    shows: ['client', 'team'],
    showsIn: {
      get: ['file', 'activity', 'target', 'survey', 'group', 'partner', 'user'],
      history: ['history', 'note', 'message', 'proffer', 'entry', 'file', 'activity', 'survey', 'target', 'user'],
      proffers: ['proffer', 'partner'],
      quote: ['proffer', 'partner', 'file', 'user'],
      teams: ['user'],
      attributes: ['activity', 'survey', 'question', 'content', 'note', 'category'],
    },
    found: { detail: 'client', coded: true },
    restores: 'own',
    webhooks: { counts: true, status: 'status' },
  },
  /** A project of the older generation, in the same table. */
  campaign: {
    tokens: 'within',
    words: ['survey project', 'survey projects'],
    icon: 'project',
    code: 'P-',
    screen: 'surveyProject',
    section: 'projects',
    area: 'projects',
    reads: 'campaign.get',
    of: 'project',
    shows: ['client', 'team', 'user'],
    showsIn: { requestList: ['proffer', 'partner'] },
    found: { coded: true },
  },
  client: {
    tokens: 'within',
    words: ['client', 'clients'],
    icon: 'client',
    code: 'C-',
    screen: 'client',
    section: 'settings',
    area: 'people',
    reads: 'client.get',
    shows: ['project', 'user', 'team', 'group'],
    showsIn: { doubles: ['partner'] },
    found: {},
    unique: { lock: 0 },
    restores: 'own',
    scopes: true,
    list: {
      call: 'client.list',
      name: 'clients',
      search: ['name'],
      usual: 'name',
      columns: {
        id: code('ID'),
        name: text(FIELD, { file: 'Name' }),
        users_count: figure('Users'),
        projects_count: figure('Projects'),
        campaigns_count: figure('Survey projects'),
        teams_count: figure('Teams'),
        created_at: day('Since', { file: 'Created' }),
      },
      exports: true,
      selects: ['lock_version'],
    },
  },
  user: {
    words: ['user', 'users'],
    icon: 'user',
    listed: 'usersInfo',
    section: 'settings',
    area: 'people',
    reads: 'user.get',
    shows: ['client', 'team'],
    found: { detail: 'client' },
    scopes: true,
    webhooks: { status: 'status' },
    list: {
      call: 'user.list',
      name: 'users',
      usual: 'name',
      columns: {
        id: code('ID'),
        name: text('Name', { file: null }),
        first_name: text(FIELD),
        last_name: text(FIELD),
        email: address(FIELD),
        phone: code(FIELD, { sort: false }),
        birth_date: day('Born', { sort: false, file: null }),
        company: text('Company', { sort: false }),
        role: word(FIELD, { words: wordsOf(ROLES) }),
        status: word('Status'),
        company_name: text('Client', { file: 'Clients' }),
        teams: text('Teams', { sort: false }),
        last_seen_at: moment('Last seen'),
        created_at: day('Created'),
      },
      exports: true,
      selects: ['email', 'first_name', 'last_name', 'phone', 'birth_date', 'status', 'role', 'lock_version'],
    },
  },
  partner: {
    words: ['partner', 'partners'],
    icon: 'partner',
    listed: 'partners',
    section: 'settings',
    area: 'people',
    reads: 'partner.get',
    shows: ['project'],
    found: { addressed: true },
    unique: { taken: 'A partner named {name} exists', lock: 1 },
    restores: { at: '/v3/portal/partners', with: 'its links', refreshes: ['project'] },
    list: {
      call: 'partner.list',
      name: 'partners',
      search: ['name', 'email', 'contact'],
      usual: 'name',
      columns: {
        id: code('ID'),
        name: text(FIELD),
        contact: text(FIELD),
        email: address(FIELD),
        phone: code(FIELD, { sort: false }),
        open_count: figure('Open'),
        answer_rate: figure('Answer rate'),
        answer_hours: figure('Median answer'),
        yes_rate: figure('Yes'),
        cpi_cents: money('Median CPI'),
        chosen_count: figure('Chosen'),
        answered_at: day('Last answer'),
        projects_count: figure('Projects'),
        proffers_count: figure('Answers'),
        created_at: day('Since'),
      },
      exports: true,
      selects: ['email', 'lock_version'],
    },
  },
  team: {
    words: ['team', 'teams'],
    icon: 'team',
    code: 'T-',
    screen: 'team',
    section: 'settings',
    area: 'people',
    reads: 'team.get',
    shows: ['client', 'user', 'project'],
    found: { detail: 'client' },
    parent: 'client',
    unique: { taken: MESSAGES.teamTaken, lock: 2 },
    restores: { at: '/v3/portal/teams', with: 'its users and projects', refreshes: ['client', 'user', 'project'] },
    scopes: true,
    list: {
      call: 'team.list',
      name: 'teams',
      usual: 'name',
      columns: {
        id: code('ID'),
        name: text(FIELD, { file: 'Name' }),
        client_name: text('Client'),
        users_count: figure('Users'),
        projects_count: figure('Projects'),
        in_field_count: figure('Projects in field'),
        updated_at: day('Last change'),
        created_at: day('Since', { file: 'Created' }),
      },
      exports: true,
      selects: ['client_id', 'client_name', 'users_count', 'projects_count', 'lock_version'],
    },
  },
  /** A user as a member of a team. Commands on the row change the membership, never the user. */
  member: {
    words: ['team user', 'team users'],
    icon: 'user',
    section: 'settings',
    area: 'people',
    of: 'user',
    list: {
      call: 'team.users',
      name: 'teamUsers',
      usual: 'name',
      columns: {
        id: code('ID'),
        name: text('Name'),
        email: address('Email'),
        phone: code('Phone', { sort: false }),
        clients: text('Clients', { sort: false }),
        other_teams: text('Other teams', { sort: false }),
        only_here: figure('Projects through this team only', { sort: false }),
        status: word('Status', { words: { active: 'Active', invited: 'Invited' } }),
        last_seen_at: moment('Last seen'),
        added_at: day('Added'),
      },
      exports: true,
      selects: ['user_id', 'team_id', 'email', 'only_here'],
    },
  },
  /** A project that a team opens. Commands on the row change the link, never the project. */
  teamProject: {
    words: ['team project', 'team projects'],
    icon: 'project',
    section: 'settings',
    area: 'people',
    of: 'project',
    list: {
      call: 'team.projects',
      name: 'teamProjects',
      usual: 'name',
      columns: {
        id: code('ID'),
        name: text('Project'),
        parent_name: text('Parent', { sort: false }),
        generation: word('Generation', { words: { project: 'Project', campaign: 'Survey project' } }),
        stored_status: word('Status', { words: STATUS_WORDS }),
        delivered: figure('Delivered'),
        ordered: figure('Ordered'),
        pacing: figure('Pacing', { sort: false }),
        end_dt: day('End'),
        other_teams: text('Other teams', { sort: false }),
        linked_at: day('Linked'),
      },
      exports: true,
      selects: ['project_id', 'team_id', 'inherits', 'stored_status'],
    },
  },
  survey: {
    tokens: 'within',
    words: ['survey', 'surveys'],
    icon: 'list',
    code: 'S-',
    screen: 'survey',
    section: 'v3',
    area: 'surveys',
    reads: 'survey.get',
    shows: ['project', 'client', 'activity', 'file'],
    found: { detail: 'project', coded: true },
    parent: 'project',
    restores: { at: '/v3/portal/surveys', with: 'its links', refreshes: ['project', 'activity'] },
    list: {
      call: 'survey.list',
      name: 'surveys',
      usual: '-updated_at',
      columns: {
        id: code('ID'),
        name: text(FIELD),
        project_name: text('Project'),
        activity_name: text('Activity'),
        survey_vendor: text(FIELD),
        vendor_survey_id: code('Vendor ID'),
        survey_link: text('Link', { sort: false }),
        questions_count: figure(FIELD),
        completes: figure('Completes'),
        refreshed_at: moment('Last refresh'),
        updated_at: moment('Changed'),
      },
      exports: true,
      selects: ['project_id', 'project_name', 'responses', 'survey_link', 'source_file_id', 'lock_version'],
    },
  },
  question: {
    words: ['question', 'questions'],
    icon: 'list',
    code: 'Q-',
    section: 'v3',
    area: 'surveys',
    reads: 'question.get',
    shows: ['survey', 'runtime'],
    list: {
      call: 'question.list',
      name: 'questions',
      usual: 'order',
      columns: {
        order: figure(FIELD),
        name: text(FIELD),
        question_type: word(FIELD, { words: { survey: 'Survey', profile: 'Profile', reward: 'Reward' } }),
        answer_type: word(FIELD, { words: { single: 'Single', multiple: 'Multiple', number: 'Number', open: 'Open' } }),
        options: text(FIELD, { sort: false }),
        answered: figure('Answered'),
        vendor_key: code(FIELD),
        id: code('ID'),
      },
      exports: true,
      selects: ['survey_id', 'question_type', 'order', 'answered', 'retired_at', 'lock_version'],
    },
  },
  view: { words: ['saved view', 'saved views'], area: 'views', icon: 'bookmark', found: {} },
  activity: {
    tokens: 'within',
    words: ['activity', 'activities'],
    icon: 'activity',
    code: 'A-',
    screen: 'activity',
    section: 'projects',
    area: 'activities',
    reads: 'activity.get',
    shows: ['project', 'client', 'survey', 'target', 'file', 'content', 'location', 'group'],
    found: { detail: 'project', coded: true },
    parent: 'project',
    restores: 'undo',
    webhooks: { counts: true },
    list: {
      call: 'activity.listAll',
      name: 'activities',
      usual: '-id',
      columns: {
        id: code('ID'),
        name: text(FIELD),
        project_name: text('Project'),
        client_name: text('Client'),
        activity_type: word(FIELD, { words: wordsOf(ACTIVITY_TYPES) }),
        action_type: word('Action', { words: wordsOf(ACTION_TYPES) }),
        survey_name: text('Survey'),
        audience: text('Audience', { sort: false }),
        results: figure('Completes or items', { file: null }),
        completes: figure('Completes'),
        content_count: figure('Items'),
        start_dt: day(FIELD),
        end_dt: day(FIELD),
        project_status: word('Project status', { words: STATUS_WORDS }),
      },
      exports: true,
      selects: ['project_id', 'project_name', 'activity_type', 'survey_id', 'content_count', 'completes', 'lock_version'],
    },
  },
  target: {
    tokens: 'within',
    words: ['target', 'targets'],
    area: 'activities',
    shows: ['activity', 'survey'],
    showsIn: { completes: ['runtime'] },
  },
  /** An activity in the older generation's form: its event, promotion or post. */
  occasion: { words: ['occasion', 'occasions'], shows: ['activity', 'file'] },
  event: { words: ['event', 'events'], of: 'occasion', shows: ['activity', 'file'] },
  promo: { words: ['promotion', 'promotions'], of: 'occasion', shows: ['activity', 'file'] },
  post: { words: ['post', 'posts'], of: 'occasion', shows: ['activity', 'file'] },
  /** An industry category of projects, shared by the whole installation. */
  category: { words: ['category', 'categories'], icon: 'list', area: 'projects', shows: ['project'], tokens: 'within' },
  /** What a survey wants of whom, and who was admitted by it. */
  quota: {
    tokens: 'within',
    words: ['quota plan', 'quota plans'],
    icon: 'list',
    area: 'quotas',
    reads: 'quota.get',
    shows: ['runtime'],
    webhooks: { counts: true, status: 'state' },
  },
  /** How a partner sends people into a survey. */
  entryLink: {
    tokens: 'within',
    words: ['entry link', 'entry links'],
    reads: 'entryLink.get',
    parent: 'project',
    shows: ['partner'],
    restores: 'undo',
    webhooks: { status: 'state' },
  },
  /** A person who came by an entry link, and the figures of them all. */
  fieldSession: { shows: ['project', 'runtime', 'partner', 'entryLink'], tokens: 'within' },
  /** A cell of a quota plan. */
  quotaCell: { words: ['cell', 'cells'], icon: 'list', area: 'quotas', of: 'quota' },
  /** What the agency, a client or a partner wrote in a conversation about a project. */
  message: {
    tokens: 'within',
    words: ['message', 'messages'],
    icon: 'note',
    reads: 'message.get',
    shows: ['user', 'client', 'partner', 'project'],
    list: {
      call: 'message.list',
      name: 'messages',
      search: ['text'],
      usual: '-id',
      columns: {
        id: code('ID'),
        created_at: moment('Sent'),
        conversation: text('Conversation'),
        side: word('Side', { words: { agency: 'Agency', client: 'Client', partner: 'Partner' } }),
        author: text('From'),
        text: text('Message', { sort: false }),
      },
      exports: true,
    },
  },
  note: { words: ['note', 'notes'], area: 'projects', shows: ['user'], webhooks: { reads: 'note.get' } },
  file: { words: ['file', 'files'], area: 'projects', shows: ['project', 'activity', 'user'], webhooks: { reads: 'file.get' } },
  /** A person who took a survey; it is shown as a row and has no screen. */
  respondent: { words: ['respondent', 'respondents'], shows: ['survey', 'activity'] },
  /** An item that a participant submitted in an activity. */
  content: {
    tokens: 'within',
    words: ['item', 'items'],
    icon: 'list',
    code: 'U-',
    area: 'results',
    reads: 'content.get',
    shows: ['file', 'activity', 'project', 'user'],
    webhooks: { status: 'review' },
    list: {
      call: 'content.list',
      name: 'content',
      usual: '-at',
      columns: {
        id: code('ID'),
        person: text('Person'),
        email: address('Email'),
        action: word('Action', {
          words: { photo: 'Photo', video: 'Video', comment: 'Comment', social: 'Social', survey: 'Survey' },
        }),
        what: text('What', { sort: false }),
        url: text('Link', { sort: false }),
        activity: text('Activity'),
        market: text('Market area'),
        at: moment('When'),
        review: word('Review', { words: { open: 'New', accepted: 'Accepted', rejected: 'Rejected' } }),
        review_reason: text('Reason', { sort: false }),
        repeats: figure('Repeats'),
      },
      exports: true,
      selects: ['project_id', 'activity_id', 'action', 'review', 'review_reason', 'file_id', 'rotation', 'size', 'lock_version'],
    },
  },
  proffer: { words: ['partner’s answer', 'partners’ answers'], area: 'projects', icon: 'partner', shows: ['project', 'partner'] },
  /** A partner's invitation to a project's round, filed under the project's proffers. */
  invitation: {
    words: ['invitation', 'invitations'],
    area: 'projects',
    of: 'proffer',
    shows: ['project', 'partner'],
    secrets: true,
  },
  entry: {
    words: ['reward', 'rewards'],
    area: 'rewards',
    icon: 'gift',
    shows: ['reward'],
    list: {
      call: 'entry.list',
      name: 'entries',
      usual: '-created_at',
      columns: {
        id: code('ID'),
        project: text('Project'),
        email: address('Email'),
        ip: code('IP address', { file: 'IP' }),
        reward: text('Reward', { sort: false }),
        amount: money('Amount'),
        provider: word('Provider', { sort: false }),
        status: word('Status', { words: wordsOf(REWARD_STATUSES) }),
        note: text('Note', { sort: false, file: 'Reason' }),
        second_chances: figure('Second chances', { sort: false }),
        created_at: moment('Earned', { file: 'Created' }),
        sent_at: moment('Sent'),
        flags: text('Flags'),
      },
      exports: true,
      selects: [
        'project_id',
        'amount_cents',
        'status',
        'amount_flag',
        'email_counter',
        'ipaddress_counter',
        'partner_id',
        'reason',
        'lock_version',
      ],
    },
  },
  /** A reward that a project offers; its entries are what respondents receive. */
  reward: {
    words: ['catalogue reward', 'catalogue rewards'],
    area: 'rewards',
    icon: 'gift',
    code: 'R-',
    listed: 'rewards',
    section: 'projects',
    reads: 'reward.get',
    shows: ['entry', 'project', 'client', 'user', 'job'],
    showsIn: { imports: ['import'], import: ['import'], importRows: ['import'] },
    parent: 'project',
    unique: { taken: 'A reward of this project already has this name.', lock: 4 },
    restores: { at: '/v3/portal/rewards', with: 'its entries', refreshes: ['entry'] },
    list: {
      call: 'reward.list',
      name: 'rewards',
      usual: '-id',
      columns: {
        name: text('Reward'),
        amount_cents: money(FIELD),
        project_name: text('Project'),
        client_name: text('Client'),
        provider_name: text('Provider'),
        provider_code: code('Code'),
        reward_type: word('Type', { words: { gift_card: 'Gift card' } }),
        entries_count: figure('Entries'),
        pending_count: figure('Pending'),
        pending_cents: money('Pending money'),
        sent_count: figure('Sent'),
        sent_cents: money('Sent money'),
        rejected_count: figure('Rejected'),
        rejected_cents: money('Rejected money'),
        created_at: day('Created'),
        id: code('ID'),
      },
      exports: true,
      selects: ['project_id', 'project_name', 'amount_cents', 'partner_id', 'pending_count', 'lock_version'],
    },
  },
  /** Entries of all projects. */
  receiver: {
    words: ['reward receiver', 'reward receivers'],
    icon: 'gift',
    of: 'entry',
    shows: ['entry', 'reward', 'project', 'client'],
    list: {
      call: 'receiver.list',
      name: 'receivers',
      usual: '-created_at',
      columns: {
        email: address('Email'),
        amount: money('Amount'),
        status: word('Status', { words: wordsOf(REWARD_STATUSES) }),
        // No index covers four million entries by project name, reason, second chances or reference.
        project: text('Project', { sort: false }),
        client: text('Client', { sort: false }),
        provider: word('Provider'),
        ip: code('IP address', { file: 'IP' }),
        flags: text('Flags'),
        note: text('Reason', { sort: false }),
        second_chances: figure('Second chances', { sort: false }),
        created_at: moment('Earned', { file: 'Created' }),
        sent_at: moment('Sent'),
        reference: code('Payout reference', { sort: false }),
        id: code('ID'),
      },
      exports: true,
      selects: ['project_id', 'amount_cents', 'status', 'amount_flag', 'email_counter', 'ipaddress_counter', 'lock_version'],
    },
  },
  /** Called place in the tables and calls, and location on the screen. */
  location: {
    words: ['location', 'locations'],
    icon: 'visits',
    listed: 'locations',
    section: 'settings',
    area: 'places',
    reads: 'location.get',
    shows: ['group'],
    found: {},
    restores: { at: '/v3/portal/locations', with: 'its groups', refreshes: ['group', 'activity'] },
    list: {
      call: 'location.list',
      name: 'locations',
      search: ['name', 'address', 'city', 'zip'],
      usual: 'name',
      columns: {
        id: code('ID'),
        name: text(FIELD, { file: 'Name' }),
        address: text(FIELD),
        city: text(FIELD),
        state: code(FIELD),
        zip: code(FIELD),
        group: text('Groups', { sort: false }),
        position: word('Position', {
          words: { exact: 'Exact', zip: 'Approximate (ZIP)', city: 'Approximate (city)', none: 'None' },
        }),
        latitude: code('Latitude', { sort: false }),
        longitude: code('Longitude', { sort: false }),
        added_at: day('Added', { sort: false, file: null }),
        line: figure('Line', { sort: false, file: null }),
        created_at: day('Created'),
      },
      exports: true,
      selects: ['address', 'group', 'position', 'lock_version'],
    },
  },
  group: {
    words: ['location group', 'location groups'],
    icon: 'visits',
    code: 'G-',
    screen: 'group',
    section: 'settings',
    area: 'places',
    reads: 'group.get',
    shows: ['client', 'location', 'activity'],
    found: { detail: 'client' },
    parent: 'client',
    unique: { taken: MESSAGES.groupTaken, lock: 3 },
    restores: {
      at: '/v3/portal/locationgroups',
      with: 'its locations and activities',
      refreshes: ['location', 'activity', 'client'],
    },
    list: {
      call: 'group.list',
      name: 'groups',
      usual: 'name',
      columns: {
        id: code('ID'),
        name: text(FIELD, { file: 'Name' }),
        client_name: text('Client'),
        locations_count: figure('Locations'),
        approximate_count: figure('Approximate'),
        unplaced_count: figure('No position'),
        activities_count: figure('Activities'),
        file_name: text('From file', { sort: false }),
        created_at: day('Created'),
      },
      exports: true,
      selects: ['client_id', 'client_name', 'locations_count', 'activities_count', 'lock_version'],
    },
  },
  /** A location as a member of a group. Commands on the row change the membership, never the location. */
  groupLocation: { words: ['location', 'locations'], icon: 'visits', section: 'settings', area: 'places', of: 'location' },
  /** A location group as an activity targets it. Commands on the row change the link, never the group. */
  activityGroup: {
    words: ['location group', 'location groups'],
    icon: 'visits',
    section: 'settings',
    area: 'activities',
    of: 'group',
  },
  /** A file whose rows become locations or rewards. */
  import: {
    tokens: 'whole',
    words: ['import', 'imports'],
    icon: 'list',
    code: 'F-',
    screen: 'locationFile',
    section: 'settings',
    area: 'imports',
    reads: 'import.get',
    shows: ['group', 'job', 'client', 'project'],
    webhooks: { none: true },
  },
  /** A remark about a line of a file. */
  fileLine: { words: ['line', 'lines'], icon: 'list', section: 'settings', area: 'imports', of: 'import' },
  /** A brand whose visits are counted; it has services. */
  brand: {
    words: ['brand', 'brands'],
    icon: 'visits',
    code: 'B-',
    screen: 'brand',
    section: 'visitation',
    area: 'visitation',
    reads: 'brand.get',
    shows: ['service', 'category'],
    found: {},
    restores: { at: '/v3/portal/visitation/brands', with: 'its services and filters', refreshes: ['service'] },
    webhooks: { status: 'status' },
    list: {
      call: 'brand.list',
      name: 'brands',
      usual: 'name',
      columns: {
        name: text(FIELD),
        services_count: figure('Services'),
        venues_count: figure('Venues'),
        visits_30: figure('Visits 30 days'),
        change_30: figure('Change %'),
        ordered: figure('Ordered'),
        completed: figure('Completed'),
        percentage: figure('Progress'),
        start_dt: day(FIELD),
        end_dt: day(FIELD),
        users_count: figure('Users'),
        status: word(FIELD, { words: { active: 'Active', inactive: 'Inactive' } }),
        id: code('ID'),
      },
      exports: true,
      selects: ['status', 'services_count', 'lock_version'],
    },
  },
  /** Venues of a brand that are counted together, with a term and an order. */
  service: {
    words: ['service', 'services'],
    icon: 'visits',
    code: 'SV-',
    listed: 'visitation',
    section: 'visitation',
    area: 'visitation',
    reads: 'service.get',
    shows: ['brand', 'user'],
    found: { detail: 'brand' },
    parent: 'brand',
    restores: { at: '/v3/portal/visitation/service', with: 'its users', refreshes: ['brand', 'user'] },
    webhooks: { counts: true, status: 'status' },
    list: {
      call: 'service.list',
      name: 'services',
      usual: 'name',
      columns: {
        name: text(FIELD),
        brand: text('Brand'),
        category: text('Category'),
        venues_count: figure('Venues'),
        visits_7: figure('Visits 7 days'),
        change_7: figure('Change %'),
        uniques_7: figure('Unique 7 days', { sort: false }),
        trend: figure('Trend', { sort: false, file: null }),
        ordered: figure(FIELD),
        completed: figure('Completed'),
        percentage: figure('Progress'),
        start_dt: day(FIELD),
        end_dt: day(FIELD),
        last_visit_at: moment('Last visit'),
        status: word(FIELD, { words: { active: 'Active', inactive: 'Inactive' } }),
        users_count: figure('Users'),
        id: code('ID'),
      },
      exports: true,
      selects: ['brand_id', 'brand_name', 'status', 'venues_count', 'lock_version'],
    },
  },
  /** Figures of visits, and the calls that send visits. */
  visit: { shows: ['brand', 'service'] },
  /** A saved filter of visits, which only its owner sees. */
  filter: {
    words: ['saved filter', 'saved filters'],
    icon: 'list',
    listed: 'brand',
    section: 'visitation',
    area: 'visitation',
    shows: ['brand'],
    found: { detail: 'brand' },
    parent: 'brand',
  },
  job: {
    tokens: 'whole',
    words: ['job', 'jobs'],
    area: 'settings',
    listed: 'jobs',
    list: {
      call: 'job.list',
      name: 'jobs',
      search: ['title'],
      usual: '-id',
      columns: {
        id: code('ID', { sort: false }),
        title: text('Job'),
        status: word('Status', {
          words: { queued: 'Waiting', running: 'Running', done: 'Done', failed: 'Failed', cancelled: 'Cancelled' },
        }),
        progress: figure('Progress', { sort: false, file: 'Done' }),
        total: figure('Of', { sort: false }),
        result: text('Result', { sort: false }),
        by: text('Started by'),
        created_at: moment('Started'),
        ended_at: moment('Ended', { sort: false }),
      },
      exports: true,
    },
  },
  mail: {
    words: ['email', 'emails'],
    area: 'settings',
    listed: 'outbox',
    of: 'outbox',
    list: {
      call: 'outbox.list',
      name: 'mails',
      search: ['to_address', 'subject', 'about'],
      usual: '-created_at',
      columns: {
        id: code('ID'),
        subject: text('Email'),
        to_address: address('To'),
        status: word('Status', {
          words: {
            queued: 'Waiting',
            sending: 'Being sent',
            sent: 'Sent',
            outbox: 'Not sent',
            failed: 'Failed',
            withdrawn: 'Cancelled',
          },
        }),
        about: text('About', { sort: false }),
        attempts: figure('Tried'),
        error: text('Error', { sort: false }),
        created_at: moment('Written'),
        sent_at: moment('Sent', { sort: false }),
      },
      exports: true,
    },
  },
  /** A column of a project's client report. */
  report: {
    words: ['report column', 'report columns'],
    icon: 'list',
    area: 'reports',
    shows: ['survey', 'runtime', 'project'],
    showsIn: { templates: ['client'] },
  },
  /** What people read before a project's survey. */
  landing: { words: ['landing page', 'landing pages'], icon: 'panel', shows: ['project'] },
  /** A channel through which a project recruits. */
  audience: { words: ['channel', 'channels'], icon: 'user', area: 'reports', shows: ['landing', 'offer', 'project', 'user'] },
  offer: {
    words: ['offer', 'offers'],
    area: 'reports',
    icon: 'gift',
    code: 'O-',
    shows: ['project'],
    webhooks: { reads: 'offer.get', silent: true },
    list: {
      call: 'offer.list',
      name: 'offers',
      search: ['name'],
      usual: 'status',
      columns: {
        name: text('Offer'),
        channel: word('Channel', { words: { facebook: 'Facebook', fulcrum: 'Fulcrum' } }),
        amount_cents: money('Amount'),
        starts: day('Starts'),
        ends: day('Ends'),
        status: word('Status', { words: { scheduled: 'Scheduled', running: 'Running', paused: 'Paused', ended: 'Ended' } }),
        id: code('ID'),
      },
      exports: true,
    },
  },
  /** A reward of a project that isn't money. */
  vip: {
    words: ['VIP experience', 'VIP experiences'],
    icon: 'gift',
    code: 'V-',
    area: 'rewards',
    listed: 'project',
    reads: 'vip.get',
    shows: ['project'],
    found: { detail: 'project' },
    parent: 'project',
    unique: { taken: 'A VIP experience of this project already has this name.', lock: 5 },
    restores: { at: '/v3/portal/vip_experiences', with: 'its awards', refreshes: [] },
    list: {
      call: 'vip.list',
      name: 'vips',
      search: ['name'],
      usual: 'name',
      columns: {
        name: text('Experience'),
        awarded: figure('Awarded'),
        first_award_at: day('First award'),
        last_award_at: day('Last award'),
        created_at: day('Created'),
        id: code('ID'),
      },
      exports: true,
      selects: ['project_id', 'awarded', 'lock_version'],
    },
  },
  /** A VIP experience that was given to a person. */
  award: {
    words: ['award', 'awards'],
    icon: 'gift',
    area: 'rewards',
    of: 'vip',
    shows: ['entry', 'user'],
    list: {
      call: 'award.list',
      name: 'awards',
      search: ['email'],
      usual: '-created_at',
      columns: {
        email: address('Email'),
        experience: text('Experience'),
        created_at: moment('Awarded'),
        by: text('By'),
        paid_cents: money('Also rewarded', { sort: false }),
        id: code('ID'),
      },
      exports: true,
      selects: ['project_id', 'experience_id', 'experience'],
    },
  },
  /** A message from administrators to everyone with an account. */
  notification: {
    words: ['notification', 'notifications'],
    icon: 'bell',
    area: 'notifications',
    listed: 'notifications',
    section: 'settings',
    reads: 'notification.get',
    shows: ['notice', 'user', 'job'],
    found: {},
    restores: { at: '/v3/portal/notifications', with: 'the copies in inboxes', refreshes: ['notice'] },
    webhooks: { counts: true, status: 'sent_at' },
    list: {
      call: 'notification.list',
      name: 'notifications',
      search: ['name', 'message'],
      usual: '-status',
      columns: {
        name: text('Name'),
        message: text(FIELD, { sort: false }),
        message_action: word(FIELD, { words: { map: 'Map', feed: 'Feed', web: 'Web' } }),
        url: text(FIELD, { sort: false }),
        notification_type: word('Type', { sort: false, words: { all: 'All' } }),
        status: word('Status', { words: { draft: 'Draft', sending: 'Sending', sent: 'Sent' } }),
        sent_at: moment('Sent'),
        by: text('By'),
        audience: figure('Audience'),
        read_count: figure('Read'),
        id: code('ID'),
      },
      exports: true,
      selects: ['message', 'message_action', 'url', 'custom', 'status', 'audience', 'lock_version'],
    },
  },
  /** A notification in one person's inbox; its id is the notification's. */
  notice: {
    words: ['notification', 'notifications'],
    icon: 'bell',
    area: 'notifications',
    listed: 'inbox',
    found: {},
    list: {
      call: 'notice.list',
      name: 'inbox',
      search: ['name', 'message'],
      usual: '-status',
      columns: {
        name: text('Name'),
        message: text('Message', { sort: false }),
        message_action: word('Action', { words: { map: 'Map', feed: 'Feed', web: 'Web', record: 'Record' } }),
        url: text('Link', { sort: false }),
        status: word('Status', { words: { unread: 'Unread', read: 'Read' } }),
        created_at: moment('Received'),
        id: code('ID', { sort: false }),
      },
      exports: true,
      selects: ['message', 'message_action', 'url', 'status'],
    },
  },
  /** Something that needs somebody, derived from a record; its id is made of the rule's and the record's. */
  desk: {
    words: ['desk line', 'desk lines'],
    icon: 'check',
    area: 'notifications',
    listed: 'desk',
    tokens: 'whole',
    shows: [
      'project',
      'message',
      'client',
      'user',
      'proffer',
      'survey',
      'activity',
      'reward',
      'entry',
      'import',
      'job',
      'outbox',
      'webhook',
      'delivery',
    ],
    webhooks: { none: true },
    list: {
      call: 'desk.list',
      name: 'desk',
      search: ['name', 'client'],
      usual: '-cost_cents',
      columns: {
        rule: word('What', { words: DESK_LINES }),
        name: text('Record'),
        client: text('Client'),
        detail: text('Detail', { sort: false }),
        cost_cents: money('Costs to wait'),
        since: day('Since'),
        owner: text('Whose'),
        command: text('Settles it', { sort: false, file: null }),
        state: word('State', { words: { open: 'Open', acknowledged: 'Acknowledged', snoozed: 'Snoozed' } }),
        id: code('ID', { sort: false }),
      },
      exports: true,
      selects: ['rule', 'kind', 'subject_id', 'project_id', 'state', 'command'],
    },
  },
  key: { words: ['key', 'keys'], area: 'settings', also: ['token'], shows: ['user'], tokens: 'persons', secrets: true },
  /** The credentials of a program; an importer's key is one too. */
  token: {
    tokens: 'persons',
    words: ['token', 'tokens'],
    icon: 'key',
    area: 'settings',
    listed: 'tokens',
    also: ['key'],
    shows: ['user', 'client', 'project', 'survey', 'service'],
    list: {
      call: 'token.list',
      name: 'tokens',
      search: ['name'],
      usual: '-id',
      columns: {
        name: text(FIELD),
        status: word('Status', { words: { valid: 'Valid', expired: 'Expired', revoked: 'Revoked' } }),
        kind: word('Kind', { words: { personal: 'Personal', service: 'Service', intake: 'Intake key' } }),
        owner: text('Owner'),
        scopes: text('Opens', { sort: false }),
        limit: text('Limited to', { sort: false }),
        last_used_at: moment('Last used'),
        last_address: text('From', { sort: false }),
        expires_at: moment('Ends'),
        created_at: moment('Created'),
        id: code('ID'),
      },
    },
  },
  /** An address that gets signed messages of changes. */
  webhook: {
    words: ['webhook', 'webhooks'],
    icon: 'share',
    screen: 'webhook',
    section: 'settings',
    area: 'webhooks',
    reads: 'webhook.get',
    shows: ['delivery', 'client', 'user'],
    // A message holds records of every noun, and a new address would be sent them.
    tokens: 'persons',
    webhooks: { none: true },
    list: {
      call: 'webhook.list',
      name: 'webhooks',
      search: ['name', 'url'],
      usual: 'name',
      columns: {
        name: text(FIELD),
        status: word('Status', { words: { active: 'Active', paused: 'Paused', disabled: 'Disabled' } }),
        url: text(FIELD),
        nouns: text('Notified of', { sort: false }),
        clients: text('Limited to', { sort: false }),
        owner: text('Owner'),
        last_delivered_at: moment('Last delivered'),
        waiting_count: figure('Waiting', { sort: false }),
        failed_count: figure('Failed', { sort: false }),
        created_at: moment('Created'),
        id: code('ID'),
      },
    },
  },
  /** A message of a webhook, with its tries. */
  delivery: {
    words: ['delivery', 'deliveries'],
    icon: 'share',
    area: 'webhooks',
    reads: 'delivery.get',
    listed: 'webhooks',
    shows: ['webhook'],
    tokens: 'persons',
    webhooks: { none: true },
    list: {
      call: 'delivery.list',
      name: 'deliveries',
      usual: '-id',
      columns: {
        type: text('Message'),
        subject_id: code('Record'),
        status: word('Status', {
          words: { queued: 'Waiting', sending: 'Being sent', delivered: 'Delivered', failed: 'Failed', skipped: 'Not sent' },
        }),
        response_status: figure('Answer'),
        attempts: figure('Tries'),
        duration_ms: figure('Took (ms)'),
        error: text('Error', { sort: false }),
        webhook: text('Webhook'),
        sent_at: moment('Sent'),
        next_at: moment('Next try', { sort: false }),
        created_at: moment('Created'),
        id: code('ID'),
      },
    },
  },
  session: { words: ['session', 'sessions'], area: 'people', also: ['account', 'user'], tokens: 'persons', secrets: true },
  account: {
    area: 'settings',
    also: ['session', 'user', 'preference'],
    tokens: 'persons',
    secrets: true,
    scopes: true,
    showsIn: {
      favourites: [
        ...['project', 'client', 'user', 'partner', 'team', 'survey', 'activity', 'view'],
        ...['vip', 'notification', 'location', 'group', 'brand', 'service'],
      ],
    },
  },
  outbox: { area: 'settings', secrets: true },
  request: { of: 'project' },
  quote: { of: 'project', also: ['proffer'] },
  export: { of: 'job', tokens: 'whole' },
  runtime: { shows: ['project', 'entry', 'survey'], tokens: 'within' },
  history: {
    tokens: 'whole',
    words: ['history line', 'history lines'],
    icon: 'list',
    listed: 'wholeHistory',
    section: 'settings',
    shows: ['user', 'partner', 'project', 'token'],
    list: {
      call: 'history.list',
      name: 'history',
      search: ['action', 'reason', 'before', 'after'],
      usual: '-id',
      columns: {
        id: code('ID'),
        at: moment('When', { sort: false }),
        who: text('Who', { sort: false }),
        acting_admin: text('Acting administrator', { sort: false }),
        token: text('Token', { sort: false }),
        action: text('What', { sort: false }),
        subject: code('Kind', { sort: false }),
        subject_id: code('Record', { sort: false }),
        record: text('Name', { sort: false }),
        reason: text('Reason', { sort: false }),
        before: text('Before', { sort: false }),
        after: text('After', { sort: false }),
      },
      exports: true,
    },
  },
  organization: {},
  place: {},
  market: {},
  dma: {},
  preference: { tokens: 'persons' },
  palette: { tokens: 'whole' },
  snapshot: { tokens: 'persons' },
  undo: { tokens: 'persons' },
  list: { tokens: 'whole' },
  live: { tokens: 'persons' },
  usage: { tokens: 'persons' },
} as const satisfies Readonly<Record<string, NounRow>>

type Nouns = typeof nouns
/** Every noun that starts a call's id. */
export type NounId = keyof Nouns
/** Nouns that live events, history and cached reads name; a change makes the reads that show them stale. */
export type Noun = { [N in NounId]: Nouns[N] extends { of: string } ? never : N }[NounId]
/** Nouns that commands act on and screens show: the ones with words. */
export type SubjectKind = { [N in NounId]: Nouns[N] extends { words: unknown } ? N : never }[NounId]
/** Nouns whose live events rename records in the palette. */
export type PaletteNoun = { [N in Noun]: Nouns[N] extends { found: unknown } ? N : never }[Noun]
