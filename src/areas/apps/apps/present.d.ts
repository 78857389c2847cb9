import type { App } from './schemas.ts';
/** An app as a reply carries it. */
export declare function presentApp(app: Readonly<App>): {
    id: string;
    name: string;
    display_name: string | null;
    description: string | null;
    model: string | null;
    system_prompt: string | null;
    welcome_message: string | null;
    login_required: boolean;
    created_at: string;
    updated_at: string;
};
