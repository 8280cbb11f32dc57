/** The kind of scene in a chat platform. */
export type Scope = 'private' | 'group' | 'channel';

export type Role = 'user' | 'trusted' | 'master';

/** Where a message comes from. Set by what received it, never by the text of the message. */
export interface Origin {
  readonly kind: 'im' | 'cli' | 'console' | 'api' | 'schedule' | 'mcp';
  readonly platform?: string;
  readonly adapter?: string;
  readonly endpoint?: string;
  readonly scope?: Scope;
  readonly sceneId?: string;
  readonly messageId?: string;
}

/** On whose behalf we act. Frozen for a whole turn. */
export interface Principal {
  /** `adapter:endpoint:userId`, the only identity that roles are keyed by. */
  readonly id: string;
  readonly userId: string;
  readonly displayName?: string;
  readonly role: Role;
  readonly platformRoles: readonly string[];
  readonly tenant?: string;
  /** How we know who this is. */
  readonly authentication: 'platform' | 'terminal' | 'console' | 'token' | 'none';
  /** The token was given to a person, who answers with it; other tokens stand for programs. */
  readonly isPerson?: boolean;
}
