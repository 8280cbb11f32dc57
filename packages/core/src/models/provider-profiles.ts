/** What differs from one model provider to the next. */
export interface ProviderProfile {
  /** The part of a model's name before the first slash. */
  readonly name: string;
  /** Which package speaks to it; `compatible` = OpenAI's chat completions. */
  readonly api: 'openai' | 'anthropic' | 'google' | 'compatible';
  readonly keyVariable: string;
  readonly baseUrlVariable: string;
  /** Where requests go when the variable is not set; undefined = the variable must be set. */
  readonly baseUrl: string | undefined;
  /** The model that is meant when only the provider is known; undefined = it must be named. */
  readonly model: string | undefined;
  /** Call ids that it takes back; any other is replaced by ours. */
  readonly callId: RegExp;
  /**
   * In thinking mode it refuses (HTTP 400) a history whose assistant messages lack their `reasoning_content`.
   * Others refuse the field or pay for it in vain, so they do not get it.
   */
  readonly returnsReasoning: boolean;
}

const ANY_ID = /^\S{1,128}$/;

const profiles: readonly ProviderProfile[] = [
  {
    name: 'openai',
    api: 'openai',
    keyVariable: 'OPENAI_API_KEY',
    baseUrlVariable: 'OPENAI_BASE_URL',
    baseUrl: 'https://api.openai.com/v1',
    model: 'gpt-5.4-mini',
    callId: /^\S{1,40}$/,
    returnsReasoning: false,
  },
  {
    name: 'anthropic',
    api: 'anthropic',
    keyVariable: 'ANTHROPIC_API_KEY',
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    baseUrl: 'https://api.anthropic.com/v1',
    model: 'claude-sonnet-5',
    callId: /^[a-zA-Z0-9_-]{1,64}$/,
    returnsReasoning: false,
  },
  {
    name: 'google',
    api: 'google',
    keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    baseUrlVariable: 'GOOGLE_GENERATIVE_AI_BASE_URL',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    model: 'gemini-flash-latest',
    callId: ANY_ID,
    returnsReasoning: false,
  },
  {
    name: 'deepseek',
    api: 'compatible',
    keyVariable: 'DEEPSEEK_API_KEY',
    baseUrlVariable: 'DEEPSEEK_BASE_URL',
    baseUrl: 'https://api.deepseek.com/v1',
    model: 'deepseek-v4-flash',
    callId: ANY_ID,
    returnsReasoning: true,
  },
  {
    name: 'zhipu',
    api: 'compatible',
    keyVariable: 'ZHIPUAI_API_KEY',
    baseUrlVariable: 'ZHIPUAI_BASE_URL',
    baseUrl: 'https://open.bigmodel.cn/api/paas/v4',
    model: 'glm-5.2',
    callId: ANY_ID,
    returnsReasoning: false,
  },
  {
    name: 'qwen',
    api: 'compatible',
    keyVariable: 'DASHSCOPE_API_KEY',
    baseUrlVariable: 'DASHSCOPE_BASE_URL',
    baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
    model: 'qwen-plus',
    callId: ANY_ID,
    returnsReasoning: false,
  },
  {
    name: 'moonshot',
    api: 'compatible',
    keyVariable: 'MOONSHOT_API_KEY',
    baseUrlVariable: 'MOONSHOT_BASE_URL',
    baseUrl: 'https://api.moonshot.cn/v1',
    model: 'kimi-k3',
    callId: ANY_ID,
    returnsReasoning: true,
  },
  {
    name: 'openai-compatible',
    api: 'compatible',
    keyVariable: 'OPENAI_API_KEY',
    baseUrlVariable: 'OPENAI_BASE_URL',
    baseUrl: undefined,
    model: undefined,
    callId: ANY_ID,
    returnsReasoning: false,
  },
];

/** The known model providers by name, in the order in which a configured one is looked for. */
export const providerProfiles: ReadonlyMap<string, ProviderProfile> = new Map(
  profiles.map((profile) => [profile.name, profile]),
);
