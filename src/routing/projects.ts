import { route, tab } from './route.ts'

/** Project lists, and one project with its tabs. */
export const projectRoutes = {
  dashboard: route('/dashboard', {
    title: 'Dashboard',
    access: 'client',
    leads: '/dashboard/all-projects',
    about: 'Leads to all projects.',
  }),
  allProjects: route('/dashboard/all-projects', {
    title: 'All projects',
    access: 'client',
    menu: { section: 'projects', at: 1 },
    aliases: ['/dashboard/allProjects'],
    about: 'Every v3 project with its children, its status and its pacing.',
    keywords: 'v3 list home start',
  }),
  surveyProjects: route('/dashboard/surveyProjects', {
    title: 'Survey projects',
    access: 'client',
    menu: { section: 'projects', at: 2 },
    about: 'The older survey projects by status, with their child campaigns.',
    keywords: 'campaigns older v1',
  }),
  v3surveyProjects: route('/dashboard/v3surveyProjects', {
    title: 'v3 survey projects',
    access: 'client',
    menu: { section: 'projects', at: 3 },
    about: 'The v3 survey projects with a dot for how far each is.',
    keywords: 'status completion',
  }),
  project: route('/dashboard/project-info/{id}', {
    title: 'Project',
    access: 'client',
    subject: 'project',
    header: { text: 'Project Info', style: 'page-project-info' },
    about: 'One project: what was asked for, how it goes, its rewards, history and notes.',
    opens: 'overview',
    tabs: {
      specifications: tab('specifications', 'Specifications', 'client'),
      overview: tab('dashboard', 'Overview', 'client'),
      userResponses: tab('userResponses', 'User Responses', 'client', {
        about: 'Every question with its answers as bars, by age and gender.',
      }),
      rewardCenter: tab('project-rewarded', 'Reward Center', 'admin'),
      history: tab('history-of-project', 'History', 'admin'),
      notes: tab('project-notes', 'Notes', 'admin'),
      approval: tab('approval', 'Approval', 'admin', {
        hidden: true,
        about: 'The quote flow: partners, their answers, the cost, the approval and the signed documents.',
      }),
      activities: tab('activities', 'Activities', 'admin', {
        hidden: true,
        about: 'The activities of the project.',
      }),
      audience: tab('audience', 'Audience', 'admin', {
        hidden: true,
        about: 'The channels this project recruits through, enabled or disabled.',
      }),
      landingPage: tab('landing-page', 'Landing page', 'admin', {
        hidden: true,
        about: 'The questions and texts of the landing page, by channel.',
      }),
      clientReporting: tab('client-reporting', 'Client reporting', 'admin', {
        hidden: true,
        about: 'The columns of the client report, its data map and its export.',
      }),
      offers: tab('offers', 'Offers', 'admin', {
        hidden: true,
        about: 'What channels offer the respondents of this project.',
      }),
      userContent: tab('userContent', 'User Content', 'admin', {
        hidden: true,
        about: 'Photos, videos, comments and project assets.',
      }),
      catalogue: tab('project-rewards', 'Rewards', 'admin', {
        hidden: true,
        about: 'The rewards that this project pays with.',
      }),
      rewardUpload: tab('reward-upload', 'Reward upload', 'admin', {
        hidden: true,
        about: 'Rewards from a csv file, with its errors row by row.',
      }),
      reward: tab('reward', 'Reward', 'admin', { hidden: true, shows: 'rewardCenter' }),
      rewardedPerProject: tab('rewarded-per-project', 'Rewarded', 'admin', { hidden: true, shows: 'rewardCenter' }),
      rewards: tab('rewards', 'Rewards', 'admin', { hidden: true, shows: 'catalogue' }),
      vipRewarded: tab('vip-exp-rewarded', 'VIP experiences rewarded', 'admin', {
        hidden: true,
        about: 'The VIP experiences that were given, by experience.',
      }),
      vipRewardedList: tab('vip-experiences-rewarded', 'VIP awards', 'admin', {
        hidden: true,
        about: 'Who was given which VIP experience.',
      }),
      vip: tab('project-vip-experiences', 'VIP experiences', 'admin', {
        hidden: true,
        about: 'The VIP experiences of this project.',
      }),
    },
  }),
  surveyProject: route('/dashboard/surveyProInfo/{id}', {
    title: 'Survey project',
    access: 'client',
    subject: 'campaign',
    header: { text: 'Survey Project Info', style: 'page-surveyproinfo' },
    about: 'One older survey project: what was asked for, how it goes, its quotes, history and notes.',
    opens: 'overview',
    tabs: {
      specifications: tab('specifications', 'Specifications', 'client'),
      overview: tab('overview', 'Details', 'client'),
      userResponses: tab('userResponses', 'User Responses', 'client', {
        about: 'Every question with its answers as bars, by age and gender.',
      }),
      userContent: tab('userContent', 'User Content', 'client', {
        about: 'Photos, videos, comments and project assets.',
      }),
      approval: tab('approval', 'Approval', 'client', {
        about: 'The quote flow: partners, their answers, the cost, the approval and the signed documents.',
      }),
      history: tab('history', 'History', 'client'),
      notes: tab('notes', 'Notes', 'admin'),
      vipRewarded: tab('vip-exp-rewarded', 'VIP experiences rewarded', 'admin', {
        hidden: true,
        about: 'The VIP experiences that were given, by experience.',
      }),
      vipRewardedList: tab('vip-experiences-rewarded', 'VIP awards', 'admin', {
        hidden: true,
        about: 'Who was given which VIP experience.',
      }),
      vip: tab('project-vip-experiences', 'VIP experiences', 'admin', {
        hidden: true,
        about: 'The VIP experiences of this project.',
      }),
    },
  }),
  approvals: route('/dashboard/approval', {
    title: 'Survey projects',
    access: 'admin',
    about: 'The survey projects, of which one shows its approval.',
  }),
  histories: route('/dashboard/history', {
    title: 'Survey projects',
    access: 'admin',
    about: 'The survey projects, of which one shows its history.',
  }),
  allNotes: route('/dashboard/notes', {
    title: 'Survey projects',
    access: 'admin',
    about: 'The survey projects, of which one shows its notes.',
  }),
  activities: route('/dashboard/activities', {
    title: 'Activities',
    access: 'admin',
    menu: { section: 'projects', at: 4 },
    about: 'The v3 activities of every project: surveys, photos, videos, social posts.',
  }),
  activity: route('/dashboard/activity-info/{id}', {
    title: 'Activity',
    access: 'admin',
    subject: 'activity',
    header: { text: 'Activity Info', style: 'page-activity-info' },
    about: 'One activity: its survey, its places, its audience and its market.',
    tabs: {
      details: tab('details', 'Details', 'admin'),
      survey: tab('survey', 'Survey', 'admin'),
      locations: tab('locations', 'Location Groups', 'admin', {
        hidden: true,
        about: 'The location groups where the activity runs.',
      }),
      target: tab('target', 'Target Audience', 'admin'),
      market: tab('market', 'Target Market', 'admin'),
    },
  }),
  activityUsers: route('/dashboard/user-activities/{activity_id}', {
    title: 'Who acted',
    access: 'admin',
    about: 'The people who acted on an activity.',
  }),
  rewards: route('/dashboard/rewards', {
    title: 'Rewards',
    access: 'admin',
    menu: { section: 'projects', at: 5 },
    about: 'The rewards that projects pay with.',
  }),
  rewardReceivers: route('/dashboard/reward-receivers', {
    title: 'Reward receivers',
    access: 'admin',
    about: 'Everybody who received a reward.',
  }),
  rewardReceiversPerProject: route('/dashboard/reward-receivers-per-project', {
    title: 'Reward receivers of a project',
    access: 'admin',
    about: 'Who received a reward of one project.',
  }),
} as const
