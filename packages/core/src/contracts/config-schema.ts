import type { ConfigSchemaNode } from './config-schema-node.ts';

/** Timers count in 32 bits; a longer one would go off at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

// Longer than 400 lines: the schema is one object, from which the types of all its keys follow.

/**
 * Every key of the configuration: type, limits, default and meaning. The published schema, the TypeScript types, the
 * documents and the checks come from here and from nowhere else.
 */
export const configSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Baigong configuration',
  description: 'What baigong.config.{ts,mts,js,mjs,cjs,json,yml,yaml} and ~/.baigong/config.{yml,yaml,json} hold.',
  'x-description-zh': 'baigong.config.{ts,mts,js,mjs,cjs,json,yml,yaml} 与 ~/.baigong/config.{yml,yaml,json} 的内容。',
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: {
      type: 'string',
      description: 'Address of this schema, for editors. Has no other effect.',
      'x-description-zh': '本 schema 的地址，供编辑器使用，没有其他作用。',
    },
    locale: {
      enum: ['en', 'zh'],
      description: 'Language of system texts. Not set: whatever shows them decides.',
      'x-description-zh': '系统文本的语言。不设置时由显示它的界面决定。',
    },
    timeZone: {
      type: 'string',
      'x-notation': 'Area/City (IANA)',
      description: 'Time zone in which the agent tells the time. Not set: that of the machine.',
      'x-description-zh': '智能体报时所用的时区。不设置时用本机时区。',
    },
    ai: {
      type: 'object',
      additionalProperties: false,
      properties: {
        model: {
          type: 'string',
          minLength: 1,
          'x-environment': 'BAIGONG_MODEL',
          'x-notation': 'provider/model',
          description: 'The model that answers. Not set: the first provider that has a key, else the offline model.',
          'x-description-zh': '作答的模型。不设置时用第一个配置了密钥的服务商，都没有则用离线模型。',
        },
        providers: {
          type: 'object',
          default: {},
          additionalProperties: {
            type: 'object',
            additionalProperties: false,
            properties: {
              apiKey: {
                type: 'string',
                minLength: 1,
                'x-secret': true,
                description: "The provider's key. Counts before the provider's own environment variable.",
                'x-description-zh': '服务商的密钥，优先于服务商自己的环境变量。',
              },
              baseUrl: {
                type: 'string',
                pattern: '^https?://[^\\s]+$',
                'x-notation': 'http(s)://…',
                description: 'Where requests to the provider go. Not set: its public address.',
                'x-description-zh': '发往该服务商的请求的地址。不设置时用其公开地址。',
              },
            },
          },
        },
        mcpServers: {
          type: 'object',
          default: {},
          additionalProperties: true,
          'x-no-effect-yet': true,
          description: 'MCP servers by name.',
          'x-description-zh': '按名称配置的 MCP 服务器。',
        },
        agents: {
          type: 'object',
          default: {},
          additionalProperties: true,
          'x-no-effect-yet': true,
          description: 'Settings of sub-agents by name.',
          'x-description-zh': '按名称配置的子智能体。',
        },
        agent: {
          type: 'object',
          additionalProperties: false,
          properties: {
            systemPromptMaxChars: {
              type: 'integer',
              minimum: 1,
              maximum: 10_000_000,
              default: 100_000,
              'x-no-effect-yet': true,
              description: 'Characters that all sections of the system prompt may have together.',
              'x-description-zh': '系统提示词各段合计的字符上限。',
            },
            deferredTools: {
              type: 'object',
              additionalProperties: false,
              'x-no-effect-yet': true,
              properties: {
                maxLoadedPerSession: {
                  type: 'integer',
                  minimum: 1,
                  maximum: 1000,
                  default: 12,
                  description: 'Tools that may be loaded in one session at the same time.',
                  'x-description-zh': '每个会话最多同时加载的工具数。',
                },
                discoverTopK: {
                  type: 'integer',
                  minimum: 1,
                  maximum: 100,
                  default: 5,
                  description: 'Results that discover returns.',
                  'x-description-zh': 'discover 每次返回的条数。',
                },
                alwaysLoadedTools: {
                  type: 'array',
                  items: { type: 'string', minLength: 1 },
                  default: ['ask_user', 'spawn_task', 'discover', 'load_tool', 'load_skill'],
                  description: 'Tools whose schema is always sent.',
                  'x-description-zh': '始终对模型可见的工具。',
                },
                alwaysLoadedMode: {
                  enum: ['extend', 'replace'],
                  default: 'extend',
                  description: 'extend: alwaysLoadedTools join what is resident by default. replace: only they are.',
                  'x-description-zh': 'extend：alwaysLoadedTools 追加到默认列表；replace：完全替换默认列表。',
                },
                mcpServers: {
                  type: 'object',
                  default: {},
                  additionalProperties: true,
                  description: 'Overrides which tools of an MCP server are always loaded, by server.',
                  'x-description-zh': '按 MCP 服务器覆盖始终加载的工具名单。',
                },
              },
            },
          },
        },
      },
    },
    turn: {
      type: 'object',
      additionalProperties: false,
      properties: {
        maxSteps: {
          type: 'integer',
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          default: 15,
          description: 'Model requests in one turn.',
          'x-description-zh': '一轮中请求模型的次数上限。',
        },
        timeoutMs: {
          type: 'integer',
          minimum: 1,
          maximum: LONGEST_TIMER_MS,
          default: 120_000,
          description: 'Milliseconds that one turn may take, without the time that it waits for people.',
          'x-description-zh': '一轮最多可用的毫秒数，等待人答复的时间不计。',
        },
        historyTurns: {
          type: 'integer',
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          default: 50,
          description: 'Earlier turns of the session that the model is sent.',
          'x-description-zh': '发给模型的本会话历史轮数上限。',
        },
        historyChars: {
          type: 'integer',
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          default: 400_000,
          description: 'Characters of earlier turns that the model is sent.',
          'x-description-zh': '发给模型的历史消息的字符上限。',
        },
        parkAfterMs: {
          type: 'integer',
          minimum: 0,
          maximum: LONGEST_TIMER_MS,
          default: 120_000,
          description: 'Milliseconds that a turn waits for a person before it parks and gives everything back.',
          'x-description-zh': '一轮在等待人答复多少毫秒后挂起并释放一切资源。',
        },
      },
    },
    approval: {
      type: 'object',
      additionalProperties: false,
      properties: {
        mode: {
          enum: ['approve', 'auto', 'reviewer', 'deny'],
          default: 'approve',
          description:
            'approve: what needs an approval is asked. auto: once and always run unasked. reviewer: a model judges those first. deny: whatever would be asked is refused.',
          'x-description-zh':
            'approve：需要审批的都询问；auto：once 与 always 不再询问；reviewer：先由模型审核；deny：凡需询问的一律拒绝。',
        },
        unattended: {
          enum: ['refuse', 'wait'],
          default: 'refuse',
          description: 'What needs an approval where nobody is at hand: refuse it at once, or wait in the store.',
          'x-description-zh': '无人在场时需要审批的调用：refuse 立即拒绝；wait 保存并等待答复。',
        },
        approvers: {
          type: 'array',
          items: { type: 'string', minLength: 1 },
          minItems: 1,
          default: ['role(master)'],
          description: 'Who may approve: permission rules that must all hold.',
          'x-description-zh': '谁可以审批：须全部满足的权限规则。',
        },
        ownerSkips: {
          type: 'boolean',
          default: false,
          description: 'Calls of masters themselves of level once and always run unasked.',
          'x-description-zh': '主人自己发起的 once 与 always 级调用不再询问。',
        },
        timeoutMs: {
          type: 'integer',
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          default: 300_000,
          description: 'Milliseconds that somebody may take to answer what a chat platform asks.',
          'x-description-zh': '聊天平台中的审批与提问可以等待答复的毫秒数。',
        },
        answerByMs: {
          type: 'integer',
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          default: 604_800_000,
          description: 'Milliseconds that somebody may take to answer everything else.',
          'x-description-zh': '其他审批与提问可以等待答复的毫秒数。',
        },
        useByMs: {
          type: 'integer',
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          default: 86_400_000,
          description: 'Milliseconds after the answer within which an approval is used; later it is asked again.',
          'x-description-zh': '批准后须在多少毫秒内使用，过期则重新询问。',
        },
        dangerousUseByMs: {
          type: 'integer',
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          default: 900_000,
          description: 'The same for dangerous calls.',
          'x-description-zh': '危险调用的批准须在多少毫秒内使用。',
        },
        reviewerModel: {
          type: 'string',
          minLength: 1,
          'x-notation': 'provider/model',
          description: 'The model that judges calls in mode reviewer. Not set: the model that answers.',
          'x-description-zh': 'reviewer 模式下审核调用的模型。不设置时用作答的模型。',
        },
      },
    },
    record: {
      type: 'object',
      additionalProperties: false,
      properties: {
        enabled: {
          type: 'boolean',
          default: true,
          description: 'Keep a record of each turn: what was decided, when and why. What a turn needs is kept anyway.',
          'x-description-zh': '为每一轮保留记录：何时因何做出何种决定。回合本身所需的数据始终保留。',
        },
      },
    },
    execution: {
      type: 'object',
      additionalProperties: false,
      properties: {
        timeoutMs: {
          type: 'integer',
          minimum: 1,
          maximum: 3_600_000,
          default: 10_000,
          description: 'Milliseconds that a call of a tool may take which declares no limit.',
          'x-description-zh': '未声明时限的工具，每次调用最多可用的毫秒数。',
        },
        maxOutputChars: {
          type: 'integer',
          minimum: 1,
          maximum: 10_000_000,
          default: 50_000,
          description: 'Characters of a result that go to the model, of a tool which declares no limit.',
          'x-description-zh': '未声明上限的工具，其结果交给模型的字符上限。',
        },
        maxChildren: {
          type: 'integer',
          minimum: 1,
          maximum: 64,
          default: 4,
          description: 'Child processes that run tools at the same time.',
          'x-description-zh': '同时运行工具的子进程数上限。',
        },
        environment: {
          type: 'object',
          default: {},
          propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
          additionalProperties: { type: 'string', pattern: '^[^\\u0000]*$' },
          'x-notation': '{ NAME: string }',
          description: 'Variables that tools in child processes get besides the harmless ones (PATH, LANG …).',
          'x-description-zh': '除无害变量（PATH、LANG 等）外，子进程中的工具还能得到的环境变量。',
        },
      },
    },
    session: {
      type: 'object',
      additionalProperties: false,
      properties: {
        idleMs: {
          type: 'integer',
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          default: 86_400_000,
          description: 'Milliseconds without a message after which a session counts as idle.',
          'x-description-zh': '会话在多少毫秒没有消息后视为空闲。',
        },
        overlap: {
          enum: ['fifo', 'supersede'],
          default: 'fifo',
          description:
            'A message while another one of its session is answered: fifo waits for it, supersede cancels it. A turn that is parked for a person is never cancelled by that.',
          'x-description-zh':
            '会话正在作答时又来新消息：fifo 排队；supersede 取消正在进行的。已挂起等待人答复的回合不会因此被取消。',
        },
      },
    },
    state: {
      type: 'object',
      additionalProperties: false,
      properties: {
        folder: {
          type: 'string',
          minLength: 1,
          default: '.baigong',
          pattern: '^[^\\u0000]*$',
          'x-environment': 'BAIGONG_HOME',
          'x-notation': 'path',
          description:
            'Folder of the database and the cache. Relative to the file that says it; from elsewhere, to the project.',
          'x-description-zh': '存放数据库与缓存的文件夹。相对路径从写它的文件算起；来自其他地方时从项目根目录算起。',
        },
        durability: {
          enum: ['full', 'lazy'],
          default: 'full',
          description:
            'full: answers, ends of turns and starts of calls that may change the world are on disk before anything follows. lazy: nothing waits for the disk; a power cut may lose the last moments.',
          'x-description-zh':
            'full：答复、回合的结束以及可能改变外界的调用的开始，都先落盘再继续；lazy：不等待落盘，断电可能丢失最后的片刻。',
        },
        retentionMs: {
          type: 'integer',
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          default: 604_800_000,
          description:
            'Milliseconds after the end of a turn during which its calls with their true arguments, its asks and replies are kept. Messages and records stay.',
          'x-description-zh': '回合结束后，其调用的真实参数、审批与回复保留多少毫秒。消息与记录不受影响。',
        },
      },
    },
    reload: {
      type: 'object',
      additionalProperties: false,
      properties: {
        watch: {
          type: 'boolean',
          default: true,
          description: 'Load changed files while running.',
          'x-description-zh': '运行时自动加载有改动的文件。',
        },
        quietMs: {
          type: 'integer',
          minimum: 1,
          maximum: 10_000,
          default: 50,
          description: 'Milliseconds without a further change before changed files are loaded.',
          'x-description-zh': '最后一次改动后，等待多少毫秒再加载。',
        },
      },
    },
    network: {
      type: 'object',
      additionalProperties: false,
      properties: {
        allowHosts: {
          type: 'array',
          items: {
            type: 'string',
            pattern: '^(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?$',
            'x-notation': 'host | host:port',
          },
          default: [],
          description: 'Hosts that context.fetch may reach although they are not public.',
          'x-description-zh': 'context.fetch 可以访问的非公网主机。',
        },
        allowFakeIp: {
          type: 'boolean',
          default: false,
          description:
            'context.fetch accepts names that resolve into 198.18.0.0/15, where proxies with "fake IP" place every name.',
          'x-description-zh':
            'context.fetch 接受解析到 198.18.0.0/15 的域名（代理的 fake-ip 模式会把所有域名解析到此网段）。',
        },
      },
    },
    plugins: {
      anyOf: [
        { type: 'array', items: { type: 'string', minLength: 1 } },
        {
          type: 'object',
          additionalProperties: { anyOf: [{ type: 'boolean' }, { type: 'object', additionalProperties: true }] },
        },
      ],
      default: {},
      'x-notation': 'string[] | { name: boolean | { … } }',
      description:
        'Plugins to use: names of child plugins or packages. true: with its own defaults; an object: its configuration.',
      'x-description-zh': '启用的插件：子插件或 npm 包的名称。true：使用插件自己的默认值；对象：该插件的配置。',
    },
    trusted: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description: 'Packages whose code may run in the process of the host, with everything that it has.',
      'x-description-zh': '允许其代码在宿主进程内运行（拥有宿主的一切权限）的包。',
    },
    config: {
      type: 'object',
      default: {},
      additionalProperties: true,
      description: "Configuration of the project's own tools: what they get as context.config.",
      'x-description-zh': '项目自身工具的配置，即它们的 context.config。',
    },
  },
} as const satisfies ConfigSchemaNode & { readonly $schema: string; readonly title: string };
